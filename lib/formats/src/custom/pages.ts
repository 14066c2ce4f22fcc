import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, itemsOf } from '@survey/questionnaire/json';

/** Questions of a single list, split into pages. */
export interface PagedQuestions {
  readonly pages: readonly JsonObject[];
  /** For each page, the positions of its questions in the list. */
  readonly positions: readonly (readonly number[])[];
}

/**
 * Makes one page, or a page for each section. A section's page is placed where its first question is. Adjacent
 * questions without a section share a page.
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

/** A question belongs to the first section that names it. */
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
