/**
 * Media ranges that match `application/json`, from the least to the most specific one. The most specific one decides
 * (RFC 9110, section 12.5.1).
 */
const ACCEPTED_TYPES = ['*/*', 'application/*', 'application/json'];

/** Whether an `Accept` header (undefined if absent) allows a JSON reply. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  let best = -1;
  let accepted = false;
  for (const range of accept.split(',')) {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const rank = ACCEPTED_TYPES.indexOf(type);
    if (rank < 0 || rank < best) continue;
    const rejected = params.some((param) => /^q=0(\.0{0,3})?$/.test(param));
    accepted = rank === best ? accepted || !rejected : !rejected;
    best = rank;
  }
  return accepted;
}
