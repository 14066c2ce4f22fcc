/**
 * Media ranges that match `application/json`, from the least to the most specific one. The most specific one decides
 * (RFC 9110, section 12.5.1).
 */
const JSON_RANGES = ['*/*', 'application/*', 'application/json'];
/** Other ranges that clients send though they understand JSON: those of errors, of JSON types, and of browsers. */
const LENIENT = /^(?:text\/(?:html|\*)|application\/[^/\s]*\+json)$/;

/** Whether an `Accept` header (undefined if absent) allows a JSON reply. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  let best = -1;
  let accepted = false;
  let isLenient = false;
  for (const range of accept.split(',')) {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const rejected = params.some((param) => /^q=0(\.0{0,3})?$/.test(param));
    isLenient ||= !rejected && LENIENT.test(type);
    const rank = JSON_RANGES.indexOf(type);
    if (rank < 0 || rank < best) continue;
    accepted = rank === best ? accepted || !rejected : !rejected;
    best = rank;
  }
  const isNamed = best === JSON_RANGES.length - 1;
  return accepted || (isLenient && !isNamed);
}
