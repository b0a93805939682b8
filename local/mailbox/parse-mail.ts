import { decodeBody, decodeHeader } from './mime-decoding.ts';

/** What the mailbox shows of a mail. */
export interface ParsedMail {
  from: string;
  subject: string;
  text: string;
  html: string | null;
}

interface Part {
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Reads a mail as it came over SMTP: headers, and the first text and HTML part of a multipart tree. */
export function parseMail(raw: Buffer): ParsedMail {
  const mail = readPart(raw);
  const found: { text: string | null; html: string | null } = { text: null, html: null };
  collect(mail, found, 0);
  const header = (name: string): string => decodeHeader(mail.headers.get(name) ?? '');
  return { from: header('from'), subject: header('subject'), text: found.text ?? '', html: found.html };
}

function collect(part: Part, found: { text: string | null; html: string | null }, depth: number): void {
  const type = part.headers.get('content-type') ?? 'text/plain';
  const boundary = parameter(type, 'boundary');
  if (/^multipart\//iu.test(type) && boundary !== null && depth < 8) {
    for (const inner of splitParts(part.body, boundary)) collect(readPart(inner), found, depth + 1);
    return;
  }
  if (/^attachment/iu.test(part.headers.get('content-disposition') ?? '')) return;
  const charset = parameter(type, 'charset') ?? 'utf-8';
  const content = decodeBody(part.body, part.headers.get('content-transfer-encoding') ?? '7bit', charset);
  if (/^text\/html/iu.test(type)) found.html ??= content;
  else if (/^text\//iu.test(type)) found.text ??= content;
}

function readPart(raw: Buffer): Part {
  const text = raw.toString('latin1');
  const end = /\r?\n\r?\n/u.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const body = end ? raw.subarray(end.index + end[0].length) : Buffer.alloc(0);
  const headers = new Map<string, string>();
  for (const line of Buffer.from(head, 'latin1').toString('utf8').replace(/\r?\n[ \t]+/gu, ' ').split(/\r?\n/u)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body };
}

function splitParts(body: Buffer, boundary: string): Buffer[] {
  const parts = `\r\n${body.toString('latin1')}`.split(new RegExp(`\\r?\\n--${RegExp.escape(boundary)}`, 'u'));
  return parts
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .map((part) => Buffer.from(part.replace(/^[ \t]*\r?\n/u, ''), 'latin1'));
}

function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'iu').exec(header);
  return match?.[1] ?? match?.[2] ?? null;
}
