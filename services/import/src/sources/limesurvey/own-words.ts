import type { IndexedQuestion } from './question-index.ts';

/** What LimeSurvey writes where nobody answered. */
export const NO_ANSWER = 'N/A';

/** How it says that something is so, in full answers of some languages; `1` and `2` in exports that convert Y and N. */
const YES = words(
  'y yes 1 true ja oui sí si sim sì tak да igen ano áno kyllä jah jā taip da evet ναι hai はい 是 예 네 نعم כן có ya bai',
);
const NO = words(
  'n no 0 2 false nein nee non não nie нет nem ne ei nē nu nej nei hayır όχι いいえ 否 不 아니요 아니오 لا לא không tidak ez',
);
const FEMALE = words(
  'f female weiblich frau vrouw féminin femme femenino mujer feminino femmina donna kobieta kvinna женский',
);
const MALE = words('m male männlich mann man masculin homme masculino hombre maschio uomo mężczyzna mężczyzna мужской');

/** Types whose answers, or whether they are chosen, LimeSurvey has words for, in the language of the export. */
const LETTERS = 'MPYG';

/** Whether a question is one that LimeSurvey has words of its own for. */
export function hasOwnWords({ letter }: Pick<IndexedQuestion, 'letter'>): boolean {
  return letter !== '' && LETTERS.includes(letter);
}

/** The code that a word stands for: Y or N, or of a gender F or M; undefined when it is no word that is known. */
export function codeOfWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  if (letter === 'G') return FEMALE.has(word) ? 'F' : MALE.has(word) ? 'M' : undefined;
  return YES.has(word) ? 'Y' : NO.has(word) ? 'N' : undefined;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
