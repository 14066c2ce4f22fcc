import type { JsonObject } from '@bufbuild/protobuf';
import type { SurveyDraft } from '../core/draft.ts';
import { type Branching, isBranching, type Section } from './conditions.ts';
import { toGridQuestion } from './grid-question.ts';
import { objectIn, textIn } from './item.ts';
import { ITEM_MEMBERS, type ItemContext, type LocatedItem, warnOfKind } from './item-context.ts';
import { toSingleQuestion } from './single-question.ts';

/** Step keys begin with a space, so they never equal an id of Google Forms. */
const FIRST_SECTION = ' first';
const endOf = (section: number): string => ` end ${section}`;
const stepOf = ({ index }: LocatedItem): string => ` ${index}`;

/** Adds the questions of a form to a draft, with a page for each section. Returns the sections. */
export function addItems(
  items: readonly JsonObject[],
  path: string,
  context: ItemContext,
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
  const addStep = (located: LocatedItem, questions: readonly JsonObject[]): void => {
    for (const question of questions) draft.addQuestion(question, located.path);
    draft.addStep({ key: stepOf(located), questions }, located.path);
  };

  beginSection(FIRST_SECTION);
  for (const [index, item] of items.entries()) {
    const located = { item, index, path: `${path}/${index}` };
    const asked = objectIn(objectIn(item, 'questionItem') ?? {}, 'question');
    const group = objectIn(item, 'questionGroupItem');
    if (asked !== undefined) {
      const { questions, kind } = toSingleQuestion(located, asked, context);
      addStep(located, questions);
      if (isBranching(kind)) sections.at(-1)?.branching.push({ question: questions[0], choice: kind });
    } else if (group !== undefined) {
      addStep(located, [toGridQuestion(located, group, context)]);
    } else if ('pageBreakItem' in item) {
      beginSection(textIn(item, 'itemId') || stepOf(located));
      beginPage(located, {}, draft);
    } else {
      addText(located, context, draft);
    }
  }
  endSection();
  return sections;
}

/** A text, image or video begins a page and becomes its title. */
function addText(located: LocatedItem, context: ItemContext, draft: SurveyDraft): void {
  const { item, path } = located;
  const kind = Object.keys(item).find((name) => name.endsWith('Item')) ?? 'item';
  beginPage(located, context.keep(item, ITEM_MEMBERS, path), draft);
  draft.addStep({ key: stepOf(located), questions: [] }, path);
  warnOfKind(kind, 'the title of a page', path, context);
}

function beginPage({ item, path }: LocatedItem, kept: JsonObject, draft: SurveyDraft): void {
  const texts = { title: textIn(item, 'title'), description: textIn(item, 'description') };
  draft.beginPage({ ...texts, sourceData: { ...kept, source_id: textIn(item, 'itemId') } }, path);
}
