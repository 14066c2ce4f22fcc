import type { IndexedQuestion } from './headers.ts';

/** "Yes" in full answers of several languages, and `1` or `2` in exports that convert Y and N. */
const YES = words(
  'y yes 1 true ja oui sí si sim sì tak да igen ano áno kyllä jah jā taip da evet ναι hai はい 是 예 네 نعم כן có ya bai',
);
const NO = words(
  'n no 0 2 false nein nee non não nie нет nem ne ei nē nu nej nei hayır όχι いいえ 否 不 아니요 아니오 لا לא không tidak ez',
);
const FEMALE = words(
  'f female weiblich frau vrouw féminin femme femenino mujer feminino femmina donna kobieta kvinna женский',
);
const MALE = words('m male männlich mann man masculin homme masculino hombre maschio uomo mężczyzna мужской');

const UNCERTAIN = words(
  'u uncertain unsicher incertain dudoso inseguro incerto incerta onzeker niepewny osäker usikker epävarma',
);
const INCREASE = words('i increase zunahme erhöhen augmentation augmenter aumentar aumento incremento toename wzrost');
const SAME = words('s same gleich unverändert identique inchangé igual mismo mesmo uguale stesso gelijk zelfde');
const DECREASE = words(
  'd decrease abnahme verringern diminution diminuer disminuir diminuir diminuzione afname spadek',
);

/** Translated answers in the rows of an array (a table question), by question type and code. */
const ROW_WORDS: ReadonlyMap<string, Readonly<Record<string, ReadonlySet<string>>>> = new Map(
  Object.entries({
    C: { Y: YES, N: NO, U: UNCERTAIN },
    E: { I: INCREASE, S: SAME, D: DECREASE },
  }),
);

/** Question types with answers that LimeSurvey translates itself. */
const TRANSLATED_TYPES = 'MPYG';

/** Whether LimeSurvey translates the options of a question itself: Yes and No (`M`, `P`, `Y`), or a gender (`G`). */
export function hasBuiltInWords({ letter }: Pick<IndexedQuestion, 'letter'>): boolean {
  return letter !== '' && TRANSLATED_TYPES.includes(letter);
}

/** The code of a translated word: F or M for a gender (`G`), otherwise Y or N; undefined for an unknown word. */
export function codeOfWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  if (letter === 'G') return FEMALE.has(word) ? 'F' : MALE.has(word) ? 'M' : undefined;
  return YES.has(word) ? 'Y' : NO.has(word) ? 'N' : undefined;
}

/** The code of a translated word in the row of an array (`C`, `E`); undefined for an unknown word. */
export function codeOfRowWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  return Object.entries(ROW_WORDS.get(letter) ?? {}).find(([, known]) => known.has(word))?.[0];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
