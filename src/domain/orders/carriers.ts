/**
 * Carriers of small shops in India; any other name can be written. Where the carrier has an address that shows one parcel,
 * `{number}` stands for the tracking number in it; else its page where the number is typed. The addresses are those to which shops
 * link today. A carrier that moves its page is corrected here, and a link that the admin gives always wins.
 */
const trackingPages = {
  'India Post':
    'https://www.indiapost.gov.in/_layouts/15/dop.portal.tracking/trackconsignment.aspx',
  DTDC: 'https://www.dtdc.com/track-your-shipment/',
  'Blue Dart': 'https://www.bluedart.com/trackdartresultthirdparty?trackFor=0&trackNo={number}',
  Delhivery: 'https://www.delhivery.com/track/package/{number}',
  Shiprocket: 'https://shiprocket.co/tracking/{number}',
  Ekart: 'https://ekartlogistics.com/shipmenttrack/{number}',
  'Professional Couriers': 'https://www.tpcindia.com/',
  'ST Courier': 'https://stcourier.com/track/shipment',
} as const;

/** The carriers' names, as the admin chooses them. */
export const carriers = Object.keys(trackingPages);

/** The customer's hint when the admin gives no link, as a sentence. */
export function trackingHint(carrier: string): string {
  const page = new Map<string, string>(Object.entries(trackingPages)).get(carrier.trim());
  if (page === undefined) return 'Left empty, the customer gets the number alone.';
  return page.includes('{number}')
    ? 'Left empty, the customer gets a link that shows this parcel.'
    : 'Left empty, the customer gets the carrier’s page and types the number there.';
}

/** The page that follows a parcel; '' for a carrier that is not known, or a parcel without a number. */
export function trackingLink(carrier: string, trackingNumber: string): string {
  const page = new Map<string, string>(Object.entries(trackingPages)).get(carrier.trim());
  if (page === undefined || trackingNumber.trim() === '') return '';
  return page.replace('{number}', encodeURIComponent(trackingNumber.trim()));
}
