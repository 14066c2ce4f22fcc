import type { JsonObject } from '@bufbuild/protobuf';
import type { Jump } from '../core/logic/convert-jumps.ts';
import { condition, unknown } from '../core/logic/formula.ts';
import { objectsOf } from '../core/source-questions.ts';

/** A converted question whose options jump to sections. */
export interface Branching {
  readonly question: JsonObject;
  /** The original `choiceQuestion`. */
  readonly choice: JsonObject;
}

export interface Section {
  /** Key of its first step. */
  readonly key: string;
  /** Key of its last step, which has no questions. The jumps of the section start there. */
  readonly end: string;
  readonly branching: readonly Branching[];
}

export function isBranching(choice: JsonObject): boolean {
  return objectsOf(choice['options']).some((option) => 'goToAction' in option || 'goToSectionId' in option);
}

/**
 * The jumps at the end of each section. If several questions of a section jump, the API does not say which one wins.
 */
export function jumpsOf(sections: readonly Section[]): readonly Jump[] {
  return sections.flatMap(({ branching, end }, index) =>
    branching.flatMap(({ question, choice }) =>
      objectsOf(choice['options']).flatMap((option) => {
        const { goToAction: action, goToSectionId: id } = option;
        if (action === undefined && id === undefined) return [];
        const isExact = branching.length === 1;
        const when = isExact
          ? condition(String(question['id']), 'equals', idOf(option, question))
          : unknown('several questions of a section jump');
        const to = typeof id === 'string' ? id : targetOf(String(action), sections, index);
        return [{ from: end, to, when }];
      }),
    ),
  );
}

function targetOf(action: string, sections: readonly Section[], index: number): string | undefined {
  if (action === 'NEXT_SECTION') return sections[index + 1]?.key;
  return action === 'RESTART_FORM' ? sections[0]?.key : undefined;
}

function idOf(option: JsonObject, question: JsonObject): string {
  if (option['isOther'] === true) return 'other';
  const value = String(option['value'] ?? '').trim();
  const found = objectsOf(question['options']).find(({ text }) => text === value);
  return String(found?.['id'] ?? value);
}
