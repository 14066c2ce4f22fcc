import type { Definition } from '../definition/definition.ts';
import { sectionListName } from '../definition/sections.ts';
import { itemsOf } from '../json.ts';
import type { ReportProblem } from './report.ts';

/** Reports duplicate section ids and unknown questions in sections. */
export function lintSections({ sections, byId }: Definition, report: ReportProblem): void {
  const ids = new Set<unknown>();
  for (const section of sections) {
    const id = section.source.id;
    if (ids.has(id)) report('DUPLICATE_ID', `${section.path}/id`, 'another section has this id');
    if (typeof id === 'string') ids.add(id);

    const name = sectionListName(section);
    for (const [index, question] of itemsOf(section.source[name]).entries()) {
      if (typeof question !== 'string' || byId.has(question)) continue;
      report('UNKNOWN_SECTION_QUESTION', `${section.path}/${name}/${index}`, 'the survey has no such question');
    }
  }
}
