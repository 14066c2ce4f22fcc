import type { JsonObject } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { textMember } from '../core/draft.ts';
import type { WarnOnce } from '../files/report.ts';
import type { FormTexts } from './texts.ts';

/** Typeform's default thank-you screen with its advertisement. */
const DEFAULT_REF = 'default_tys';

interface Screens {
  /** `welcome_screen` and `thank_you_screen`. */
  readonly members: JsonObject;
  readonly kept: JsonObject;
  readonly endings: readonly string[];
}

/** Reads the welcome and thank-you screens. Only the first one of each kind is converted. */
export function readScreens(form: JsonObject, path: string, texts: FormTexts, warnOnce: WarnOnce): Screens {
  const endings = screensOf(form, 'thankyou_screens', path);
  const thanks = endings.filter(({ source }) => source['ref'] !== DEFAULT_REF);
  const welcomes = screensOf(form, 'welcome_screens', path);
  const read = (name: string, [first]: readonly Screen[]): JsonObject => {
    if (first === undefined) return {};
    const members = ['title', 'description'].map((one) => textMember(one, texts.read(first.source, one, first.path)));
    return { [name]: Object.assign({}, ...members) };
  };
  for (const [name, list] of [
    ['thankyou_screens', thanks],
    ['welcome_screens', welcomes],
  ] as const) {
    if (list.length < 2) continue;
    const detail = `Only the first of several ${name} is used; the others are kept in source_data`;
    warnOnce(name, { path: `${path}/${name}`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return {
    members: {
      ...read('welcome_screen', welcomes),
      ...read('thank_you_screen', thanks),
    },
    kept: {
      ...(welcomes.length === 0 ? {} : { welcome_screens: welcomes.map(({ source }) => source) }),
      ...(endings.length === 0 ? {} : { thankyou_screens: endings.map(({ source }) => source) }),
    },
    endings: endings.map(({ source }) => String(source['ref'])),
  };
}

interface Screen {
  readonly source: JsonObject;
  readonly path: string;
}

function screensOf(form: JsonObject, name: string, path: string): readonly Screen[] {
  const list = form[name];
  if (!isArray(list)) return [];
  return list.flatMap((source, index) => (isObject(source) ? [{ source, path: `${path}/${name}/${index}` }] : []));
}
