import type { JsonObject } from '@bufbuild/protobuf';
import type { SurveyDraft } from '../survey-draft.ts';
import { toGridQuestion } from './grid-question.ts';
import { objectIn, textIn } from './item.ts';
import { ITEM_MEMBERS, type ItemReading, type PlacedItem, warnOfKind } from './item-reading.ts';
import { type Branching, isBranching, type Section } from './sections.ts';
import { toSingleQuestion } from './single-question.ts';

/** Names of steps that no id of Google's can have: they begin with a blank. */
const FIRST = ' first';
const endOf = (section: number): string => ` end ${section}`;
const stepOf = ({ index }: PlacedItem): string => ` ${index}`;

/** Adds the questions of a form to a draft, with a page for each section; gives the sections. */
export function addItems(
  items: readonly JsonObject[],
  path: string,
  reading: ItemReading,
  draft: SurveyDraft,
): readonly Section[] {
  const sections: (Section & { readonly branching: Branching[] })[] = [];
  const endSection = (): void => {
    const last = sections.at(-1);
    if (last !== undefined) draft.addStep({ key: last.end, questions: [] }, '');
  };
  const beginSection = (key: string): void => {
    endSection();
    sections.push({ key, end: endOf(sections.length), branching: [] });
    draft.addStep({ key, questions: [] }, '');
  };
  const addStep = (placed: PlacedItem, questions: readonly JsonObject[]): void => {
    for (const question of questions) draft.addQuestion(question, placed.path);
    draft.addStep({ key: stepOf(placed), questions }, placed.path);
  };

  beginSection(FIRST);
  for (const [index, item] of items.entries()) {
    const placed = { item, index, path: `${path}/${index}` };
    const asked = objectIn(objectIn(item, 'questionItem') ?? {}, 'question');
    const group = objectIn(item, 'questionGroupItem');
    if (asked !== undefined) {
      const { questions, kind } = toSingleQuestion(placed, asked, reading);
      addStep(placed, questions);
      if (isBranching(kind)) sections.at(-1)?.branching.push({ question: questions[0], choice: kind });
    } else if (group !== undefined) {
      addStep(placed, [toGridQuestion(placed, group, reading)]);
    } else if ('pageBreakItem' in item) {
      beginSection(textIn(item, 'itemId') || stepOf(placed));
      beginPage(placed, {}, draft);
    } else {
      addText(placed, reading, draft);
    }
  }
  endSection();
  return sections;
}

/** A text, picture or film begins a page and is its title. */
function addText(placed: PlacedItem, reading: ItemReading, draft: SurveyDraft): void {
  const { item, path } = placed;
  const kind = Object.keys(item).find((name) => name.endsWith('Item')) ?? 'item';
  beginPage(placed, reading.keep(item, ITEM_MEMBERS, path), draft);
  draft.addStep({ key: stepOf(placed), questions: [] }, path);
  warnOfKind(kind, 'the title of a page', path, reading);
}

function beginPage({ item, path }: PlacedItem, kept: JsonObject, draft: SurveyDraft): void {
  const texts = { title: textIn(item, 'title'), description: textIn(item, 'description') };
  draft.beginPage({ ...texts, sourceData: { ...kept, source_id: textIn(item, 'itemId') } }, path);
}
