import type { SurveyDefinition } from '@survey/client';
import { localize } from '@survey/questionnaire';
import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { countOf, displayLanguageOf } from '../ui/format.tsx';
import { Empty } from '../ui/states.tsx';
import { compareDefinitions, type QuestionChange, type ValueChange } from './compare-definitions.ts';
import { toJsonText } from './json-text.ts';

interface Props {
  readonly before: SurveyDefinition;
  readonly after: SurveyDefinition;
}

/** Changes beyond this number are only in the JSON. */
const MAX_CHANGES = 30;
/** Texts with more different lines are not compared, because a comparison would take seconds. */
const MAX_DIFFERENT_LINES = 5_000;

/** The changes between two definitions: by question, and as lines of JSON. */
export function DefinitionDiff({ before, after }: Props) {
  const { questions, others } = useMemo(() => compareDefinitions(before, after), [before, after]);
  if (questions.length === 0 && others.length === 0) return <Empty title="The two definitions are the same." />;
  return (
    <div className="stack">
      {questions.length > 0 && (
        <section className="stack" aria-labelledby="changed-questions">
          <h3 id="changed-questions">Questions</h3>
          <ul className="changes">
            {questions.map((change) => (
              <li key={change.id} className="card stack" data-kind={change.kind}>
                <QuestionTitle change={change} definition={change.kind === 'removed' ? before : after} />
                <ValueChanges changes={change.changes} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section className="stack" aria-labelledby="changed-others">
          <h3 id="changed-others">Everything else</h3>
          <div className="card">
            <ValueChanges changes={others} />
          </div>
        </section>
      )}
      <details>
        <summary>Changes of the JSON</summary>
        <JsonDiff before={before} after={after} />
      </details>
    </div>
  );
}

const KINDS = {
  added: { label: 'added', tone: 'good' },
  removed: { label: 'removed', tone: 'bad' },
  changed: { label: 'changed', tone: 'warn' },
  moved: { label: 'moved', tone: 'neutral' },
} as const;

function QuestionTitle({
  change,
  definition,
}: {
  readonly change: QuestionChange;
  readonly definition: SurveyDefinition;
}) {
  const { label, tone } = KINDS[change.kind];
  const title = localize(definition, change.question.title, displayLanguageOf(definition));
  return (
    <div className="row-tight">
      <span className="badge" data-tone={tone}>
        {label}
      </span>
      {change.isMoved && change.kind !== 'moved' && <span className="badge">moved</span>}
      <bdi className="clamped">{title || change.id}</bdi>
      <code className="soft">
        <bdi>{change.id}</bdi> {String(change.question.type ?? '')}
      </code>
    </div>
  );
}

function ValueChanges({ changes }: { readonly changes: readonly ValueChange[] }) {
  if (changes.length === 0) return null;
  const hidden = changes.length - MAX_CHANGES;
  return (
    <>
      <dl className="value-changes">
        {changes.slice(0, MAX_CHANGES).map(({ path, before, after }, index) => (
          <div key={JSON.stringify([index, path])}>
            <dt>
              <bdi>{path.join(' › ')}</bdi>
            </dt>
            <dd>
              {before !== undefined && (
                <del>
                  <Value value={before} />
                </del>
              )}
              {after !== undefined && (
                <ins>
                  <Value value={after} />
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && <p className="soft">{countOf(hidden, 'more change is', 'more changes are')} in the JSON.</p>}
    </>
  );
}

function Value({ value }: { readonly value: unknown }) {
  return <bdi className="clamped">{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>;
}

function JsonDiff({ before, after }: Props) {
  const hunks = useMemo(
    () =>
      structuredPatch('', '', `${toJsonText(before)}\n`, `${toJsonText(after)}\n`, '', '', {
        context: 3,
        maxEditLength: MAX_DIFFERENT_LINES,
      })?.hunks,
    [before, after],
  );
  if (hunks === undefined) return <p className="soft">The definitions are too different to compare their lines.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="code" aria-label="Changes of the JSON" tabIndex={0} dir="ltr">
      {hunks.map(({ oldStart, newStart, lines }) => (
        <div key={`${oldStart} ${newStart}`} className="code-block">
          <div className="code-location">
            Line {oldStart} before, {newStart} after
          </div>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their positions.
            <DiffLine key={index} line={line} />
          ))}
        </div>
      ))}
    </section>
  );
}

function DiffLine({ line }: { readonly line: string }) {
  if (line.startsWith('+')) return <ins className="code-line">{line}</ins>;
  if (line.startsWith('-')) return <del className="code-line">{line}</del>;
  return <div className="code-line">{line}</div>;
}
