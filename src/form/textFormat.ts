import type { TextFormat } from './formField.ts';

interface Format {
  /** Such as "an e-mail address". */
  readonly words: string;
  readonly example: string;
  readonly isValid: (text: string) => boolean;
}

// No part of a pattern here repeats what another one before it could match: each takes linear time.
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const URI = /^[a-z][a-z0-9+.-]*:[a-z0-9\-._~:/?#@!$&'()*+,;=%]+$/i;
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

/** The formats of JSON Schema that a form checks (RFC 3339, RFC 5321, RFC 3986), each strictly. */
export const textFormats: Readonly<Record<TextFormat, Format>> = {
  email: { words: 'an e-mail address', example: 'name@example.com', isValid: isEmail },
  uri: { words: 'an address', example: 'https://example.com/', isValid: isUri },
  date: { words: 'a date', example: '2026-03-14', isValid: isDate },
  time: { words: 'a time with its zone', example: '14:03:00Z', isValid: isTime },
  'date-time': {
    words: 'a date and a time with its zone',
    example: '2026-03-14T14:03:00Z',
    isValid: (text) => text[10]?.toUpperCase() === 'T' && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  },
};

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = DATE.exec(text)?.slice(1).map(Number) ?? [];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** Without leap seconds: a moment of a person is not one of them. */
function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (!found) {
    return false;
  }
  const [hours = 0, minutes = 0, seconds = 0, , zoneHours = 0, zoneMinutes = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return hours < 24 && minutes < 60 && seconds < 60 && zoneHours < 24 && zoneMinutes < 60;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    local.length <= 64 &&
    host.length <= 253 &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    host.split('.').length > 1 &&
    host.split('.').every((label) => HOST_LABEL.test(label))
  );
}

function isUri(text: string): boolean {
  return URI.test(text) && !BROKEN_ESCAPE.test(text) && URL.canParse(text);
}
