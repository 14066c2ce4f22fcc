import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, itemsOf } from '@survey/questionnaire/json';

/** Questions that stood in one list, on pages. */
export interface PagedQuestions {
  readonly pages: readonly JsonObject[];
  /** Where the questions of each page stood in the list. */
  readonly positions: readonly (readonly number[])[];
}

/**
 * One page, or a page for each section. A section's page comes where its first question stands; questions of no section
 * that follow each other share a page without a title.
 */
export function pagesOf(questions: readonly JsonValue[], sections: JsonValue | undefined): PagedQuestions {
  const sectionOf = indexSections(sections);
  const byPage = new Map<string, { readonly section: JsonObject | undefined; readonly positions: number[] }>();
  let run = 0;
  let previous: JsonObject | undefined;
  for (const [position, question] of questions.entries()) {
    const id = isObject(question) ? question['id'] : undefined;
    const found = typeof id === 'string' ? sectionOf.get(id) : undefined;
    if (found === undefined && previous !== undefined) run += 1;
    previous = found?.section;
    const key = found === undefined ? `run ${run}` : `section ${found.index}`;
    const page = byPage.get(key) ?? { section: found?.section, positions: [] };
    page.positions.push(position);
    byPage.set(key, page);
  }
  const all = byPage.size === 0 ? [{ section: undefined, positions: [] }] : [...byPage.values()];
  return {
    pages: all.map(({ section, positions }) => ({
      ...titleOf(section),
      questions: positions.map((position) => questions[position] ?? null),
    })),
    positions: all.map(({ positions }) => positions),
  };
}

function titleOf(section: JsonObject | undefined): JsonObject {
  const title = section?.['title'];
  return !isAbsent(title) ? { title } : {};
}

/** The first section that names a question has it. */
function indexSections(sections: JsonValue | undefined) {
  const sectionOf = new Map<string, { readonly index: number; readonly section: JsonObject }>();
  for (const [index, section] of Array.isArray(sections) ? sections.entries() : []) {
    if (!isObject(section)) continue;
    for (const id of itemsOf(section['question_ids'] ?? section['questions'])) {
      if (typeof id === 'string' && !sectionOf.has(id)) sectionOf.set(id, { index, section });
    }
  }
  return sectionOf;
}
