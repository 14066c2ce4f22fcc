import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from '../files/report.ts';
import type { Budget } from './budget.ts';
import { createUniqueIds } from './ids.ts';
import { makeFileOptional } from './optional-file.ts';
import type { Origins } from './origins.ts';
import { isEmptyText, type Text, toJsonText } from './texts.ts';

/** A group of questions, which becomes a section. */
export interface Group {
  readonly name: string;
  readonly title: Text;
  readonly description: Text;
  readonly questions: readonly string[];
  readonly kept: JsonObject;
}

/** A condition of the file, before parsing. */
export interface WrittenRule {
  readonly action: 'show' | 'require';
  readonly questions: readonly string[];
  readonly group?: Group;
  readonly expression: string;
  /** Name of the member or column in the file. */
  readonly member: string;
  readonly path: string;
}

export interface FinishedOutline {
  readonly pages: readonly JsonObject[];
  readonly sections: readonly JsonObject[];
  readonly rules: readonly WrittenRule[];
  readonly questionCount: number;
  idOf(group: Group): string | undefined;
}

/** Collects pages, questions, groups and rules in the order of the file. */
export interface Outline {
  beginPage(path: string): void;
  endPage(page: {
    readonly name?: string;
    readonly title: Text;
    readonly description: Text;
    readonly kept: JsonObject;
  }): void;
  addQuestion(question: JsonObject, path: string): void;
  addGroup(group: Group): void;
  addRule(rule: WrittenRule): void;
  end(): FinishedOutline;
}

export function createOutline(
  origins: Origins,
  toUniqueId: (name: string) => string,
  { budget, warnOnce }: { readonly budget: Budget; readonly warnOnce: WarnOnce },
): Outline {
  const pages: JsonObject[] = [];
  const groups: Group[] = [];
  const rules: WrittenRule[] = [];
  const toPageId = createUniqueIds();
  let questions: JsonObject[] = [];
  let questionCount = 0;
  return {
    beginPage(path) {
      questions = [];
      origins.note(`/survey/pages/${pages.length}`, path);
    },
    endPage({ name, title, description, kept }) {
      const source = { ...kept, ...(name === undefined ? {} : { source_id: name }) };
      pages.push({
        ...(name === undefined ? {} : { id: toPageId(name) }),
        ...textMembers(title, description),
        questions,
        ...(Object.keys(source).length === 0 ? {} : { source_data: source }),
      });
    },
    addQuestion(question, path) {
      budget.take(question, path);
      origins.note(`/survey/pages/${pages.length}/questions/${questions.length}`, path);
      questions.push(makeFileOptional(question, path, warnOnce));
      questionCount += 1;
    },
    addGroup: (group) => groups.push(group),
    addRule: (rule) => rules.push(rule),
    end() {
      // Assign the ids of sections last, so that a question keeps a name that a section also has.
      const ids = new Map(groups.map((group) => [group, toUniqueId(group.name)]));
      const sections = groups.map((group) => ({
        id: ids.get(group) ?? '',
        ...textMembers(isEmptyText(group.title) ? group.name : group.title, group.description),
        question_ids: [...group.questions],
        source_data: { ...group.kept, source_id: group.name },
      }));
      return { pages, sections, rules, questionCount, idOf: (group) => ids.get(group) };
    },
  };
}

function textMembers(title: Text, description: Text): JsonObject {
  return {
    ...(isEmptyText(title) ? {} : { title: toJsonText(title) }),
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
  };
}
