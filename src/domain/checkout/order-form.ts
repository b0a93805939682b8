/** The form under which the form-collection service stores orders. The only one: whatever else is posted to it is not the shop's. */
export const orderFormName = 'order';

/** Fields of the form-collection's order form (spec section 7). */
export const orderFormFields = [
  'name',
  'email',
  'phone',
  'address',
  'city',
  'postalCode',
  'notes',
  'total',
  'products',
] as const;

/** A field of the form that people do not see and robots fill. */
export const orderFormHoneypot = 'bot-field';
