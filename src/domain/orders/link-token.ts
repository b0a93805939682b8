/** The token of an order's mailed link: the order's number, the version of its links, and the signature. */
export const linkTokenPattern = /^[1-9]\d{0,14}(?:\.[1-9]\d{0,8})?-[\w-]{43}$/u;
