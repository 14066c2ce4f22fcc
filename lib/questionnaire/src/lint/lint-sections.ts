import type { Definition } from '../definition/definition.ts';
import { sectionListName } from '../definition/sections.ts';
import { isAbsent, isArray, itemsOf } from '../json.ts';
import type { Report } from './report.ts';

/** Reports duplicate section ids and unknown questions in sections. */
export const lintSections = ({ sections, byId }: Definition, report: Report): void => {
  const ids = new Set<unknown>();
  for (const section of sections) {
    const id = section.source.id;
    if (ids.has(id)) report('DUPLICATE_ID', `${section.path}/id`, 'another section has this id');
    if (typeof id === 'string') ids.add(id);
    else if (!isAbsent(id)) report('WRONG_TYPE', `${section.path}/id`, 'the id of a section must be a string');

    const name = sectionListName(section);
    const list = section.source[name];
    const path = `${section.path}/${name}`;
    if (!isAbsent(list) && !isArray(list)) report('WRONG_TYPE', path, `${name} must be an array of question ids`);
    for (const [index, question] of itemsOf(list).entries()) {
      if (typeof question !== 'string' || !byId.has(question)) {
        report('UNKNOWN_SECTION_QUESTION', `${path}/${index}`, 'the survey has no such question');
      }
    }
  }
};
