const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses an RFC 3339 timestamp with any offset and up to nine digits of fraction; milliseconds are kept. Returns
 * undefined if it is malformed or does not exist. A leap second becomes the next second.
 */
export function parseTimestamp(value: string): Date | undefined {
  const match = RFC3339.exec(value);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that does not exist rolls over into the next month.
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  const shifted = new Date(date.getTime() + (sign === '-' ? offsetMs : -offsetMs));
  // Protobuf's timestamps are limited to these years.
  return shifted.getUTCFullYear() >= 1 && shifted.getUTCFullYear() <= 9999 ? shifted : undefined;
}
