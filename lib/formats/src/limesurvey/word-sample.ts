import { invalidImport } from '../files/report.ts';
import type { AnswerColumn } from './answer-columns.ts';
import { codeOfWord, hasBuiltInWords, NO_ANSWER } from './built-in-words.ts';

/** Learns from sample cells whether LimeSurvey's words for Yes, No, and so on are in a known language. */
interface WordSample {
  look(column: AnswerColumn, cell: string): void;
  /** Throws `INVALID_IMPORT` if no sampled word of a question type is known. */
  check(): void;
}

export function createWordSample(): WordSample {
  const known = new Set<string>();
  const unknown = new Map<string, string>();
  return {
    look({ kind, question }, cell) {
      // Skips the comments on choices: they have the same question type, but free texts.
      const isWord = kind === 'option' || (kind === 'value' && question.type === 'single_choice');
      if (cell === NO_ANSWER || !isWord || !hasBuiltInWords(question)) return;
      const { letter, options, sourceId } = question;
      const isOption = options.some(({ code, texts }) => code === cell || texts.includes(cell));
      if (isOption || codeOfWord(question, cell) !== undefined) known.add(letter);
      else if (!unknown.has(letter)) unknown.set(letter, sourceId);
    },
    check() {
      const errors = [...unknown]
        .filter(([letter]) => !known.has(letter))
        .map(([, question]) => ({
          path: '',
          code: 'UNKNOWN_WORDS',
          detail: `${question}: its words for Yes, No or a gender are in an unknown language; export the responses with answer codes`,
        }));
      if (errors.length > 0) throw invalidImport(errors);
    },
  };
}
