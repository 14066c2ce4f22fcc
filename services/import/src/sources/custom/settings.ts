import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { isSetting } from '../../surveys/survey-settings-mapper.ts';
import type { Member } from './member.ts';

/** The `settings` of a file: what a survey has by that name, and what other tools mean by it. */
interface SortedSettings {
  readonly settings: JsonObject | undefined;
  /** What has no meaning, one by one, and all of it as the one member that is kept. */
  readonly homeless: readonly Member[];
  readonly rest: Member | undefined;
}

const NAME = 'settings';

/** Takes for settings what has the name and the type of one. */
export function sortSettings(given: JsonValue | undefined, path: string): SortedSettings {
  if (isAbsent(given)) return { settings: undefined, homeless: [], rest: undefined };
  if (!isObject(given)) {
    const rest = { name: NAME, path, value: given };
    return { settings: undefined, homeless: [rest], rest };
  }
  const { ours = [], others = [] } = Object.groupBy(Object.entries(given), ([name, value]) =>
    isSetting(name, value) ? 'ours' : 'others',
  );
  return {
    settings: Object.fromEntries(ours),
    homeless: others.map(([name, value]) => ({ name: `${NAME}.${name}`, path: pointer(path, name), value })),
    rest: others.length === 0 ? undefined : { name: NAME, path, value: Object.fromEntries(others) },
  };
}
