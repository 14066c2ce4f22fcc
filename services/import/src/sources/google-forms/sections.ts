import type { JsonObject } from '@bufbuild/protobuf';
import type { Jump } from '../../jumps/jump-graph.ts';
import { objectsIn } from './item.ts';

/** A question whose options say where to go on, and what it has become. */
export interface Branching {
  readonly question: JsonObject;
  /** `choiceQuestion` as the file has it. */
  readonly choice: JsonObject;
}

/** A section with the questions that branch. */
export interface Section {
  /** The step that it begins with. */
  readonly key: string;
  /** The step that stands for its end, where branches are taken. */
  readonly end: string;
  readonly branching: readonly Branching[];
}

export function isBranching(choice: JsonObject): boolean {
  return objectsIn(choice, 'options').some((option) => 'goToAction' in option || 'goToSectionId' in option);
}

/**
 * The jumps at the end of each section. Google follows one question of a section; which one of several, it does not tell.
 */
export function jumpsOf(sections: readonly Section[]): readonly Jump[] {
  return sections.flatMap(({ branching, end }, index) =>
    branching.flatMap(({ question, choice }) =>
      objectsIn(choice, 'options').flatMap((option) => {
        const { goToAction: action, goToSectionId: id } = option;
        if (action === undefined && id === undefined) return [];
        const isExact = branching.length === 1;
        const when = isExact
          ? ({ source: String(question['id']), operator: 'equals', value: idOf(option, question) } as const)
          : { unknown: 'several questions of one section lead on' };
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

/** The option here that one of Google's has become. */
function idOf(option: JsonObject, question: JsonObject): string {
  if (option['isOther'] === true) return 'other';
  const value = String(option['value'] ?? '').trim();
  const found = objectsIn(question, 'options').find(({ text }) => text === value);
  return String(found?.['id'] ?? value);
}
