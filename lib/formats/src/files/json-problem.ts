import type { JsonError } from '@survey/runtime/json/parse-json';

const REASONS: Record<Exclude<JsonError['problem'], 'MALFORMED'>, string> = {
  DUPLICATE_MEMBER: 'there are two members of this name',
  FORBIDDEN_NAME: 'this name is not allowed',
  NUMBER_OUT_OF_RANGE: 'the number is beyond ±(2^53 - 1), where numbers are not exact',
  TOO_DEEP: 'it is nested more than 64 levels deep',
};

/** The code and the reason of an error in a file, or in a line of it. */
export function describeJsonProblem(
  problem: JsonError['problem'],
  what: 'file' | 'line',
): { readonly code: string; readonly reason: string } {
  return problem === 'MALFORMED'
    ? { code: 'BAD_JSON', reason: `the ${what} is not valid JSON` }
    : { code: problem, reason: REASONS[problem] };
}

/** A pair of surrogates, a single escape, or an escaped character. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;
const LONE_SURROGATE = /^\\u[dD][89a-fA-F]..$/;

/** The index of an escaped surrogate without its other half in JSON: UTF-8 cannot encode it. */
export function findLoneSurrogate(json: string): number | undefined {
  return json.matchAll(ESCAPE).find(([text]) => LONE_SURROGATE.test(text))?.index;
}
