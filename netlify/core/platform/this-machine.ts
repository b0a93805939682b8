/** Whether a host name is this machine, whose connections need no TLS: the embedded stack and the tests. */
export const isThisMachine = (host: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host);
