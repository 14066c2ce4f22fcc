import { setMember } from '../json.ts';

/** Parameters `a.<path>` of an address, decoded. A path is a question, or a part of it: `<question>.<row>`. */
export type PrefillParameters = readonly (readonly [path: string, value: string])[];

export interface AddressParameters {
  /** Values of `m.<name>`. The platform reads texts as the types of declared fields. */
  readonly metadata: { readonly [name: string]: string };
  /** For `prefilledAnswers`. */
  readonly prefill: PrefillParameters;
  /** The address without these parameters. */
  readonly address: string;
}

type Parameters = readonly (readonly [name: string, value: string])[];

const MAX_PARAMETERS = 500;
const MAX_NAME_LENGTH = 1_000;
/** Maximum length of all names and values together. */
const MAX_LENGTH = 65_536;

/**
 * Takes metadata (`m.<name>`) and answers (`a.<question>`) out of an address. A name that the fragment has is not read
 * from the query. Empty values, and parameters beyond the limits, are only removed.
 */
export function takeParameters(address: string | URL): AddressParameters {
  const url = new URL(address);
  const fragment = split(url.hash.slice(1));
  const query = split(url.search.slice(1));
  url.hash = fragment.rest;
  url.search = query.rest;
  const names = new Set(fragment.taken.map(([name]) => name));
  const all = limit([...fragment.taken, ...query.taken.filter(([name]) => !names.has(name))]);
  const metadata: Record<string, string> = {};
  // Of several values of a name, the first counts.
  for (const [name, value] of all)
    if (name.startsWith('m.') && !Object.hasOwn(metadata, name.slice(2))) setMember(metadata, name.slice(2), value);
  const answers = all.filter(([name]) => name.startsWith('a.'));
  return { metadata, prefill: answers.map(([name, value]) => [name.slice(2), value]), address: url.href };
}

/** Splits a query or fragment into these parameters and the rest, which stays as it is. */
function split(text: string): { readonly taken: Parameters; readonly rest: string } {
  const taken: (readonly [string, string])[] = [];
  const rest = text.split('&').filter((part) => {
    const [parameter] = new URLSearchParams(part);
    if (parameter === undefined || !/^[am]\../.test(parameter[0])) return true;
    taken.push(parameter);
    return false;
  });
  return { taken, rest: rest.join('&') };
}

function limit(parameters: Parameters): Parameters {
  let total = 0;
  return parameters.slice(0, MAX_PARAMETERS).filter(([name, value]) => {
    const length = name.length + value.length;
    if (value.trim() === '' || name.length > MAX_NAME_LENGTH || total + length > MAX_LENGTH) return false;
    total += length;
    return true;
  });
}
