import type { CreateSurveyRequest, DefinitionReport } from '@survey/client';
import { isObject } from '@survey/questionnaire/json';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { describeFindings } from '../surveys/use-survey.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { type Finding, FindingList, locateFindings } from './findings.tsx';
import { parseJson } from './json-text.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface Props {
  readonly initialText: string;
  /** Label of the button, such as `Save`. */
  readonly submitLabel: string;
  /** Renders what is below the text. It gets a function that removes the error of the form. */
  readonly children?: (clearError: () => void) => ReactNode;
  /** Saves a payload, and leaves the page. The form shows the error of a rejected promise. */
  readonly onSubmit: (payload: CreateSurveyRequest) => Promise<void>;
}

interface Checked {
  readonly text: string;
  readonly report: DefinitionReport;
}

/** Larger files cannot be a definition, even with white space: the platform accepts 1 MiB. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Edits a payload as JSON. It is validated before it is saved; a definition with errors is saved on request. */
export function PayloadForm({ initialText, submitLabel, children, onSubmit }: Props) {
  const client = useClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initialText);
  const [checked, setChecked] = useState<Checked>();
  const [pending, setPending] = useState<'check' | 'save'>();
  const [error, setError] = useState<unknown>();
  const isLeaving = useRef(false);
  const isDirty = text !== initialText;

  const parsed = parseJson(text);
  const report = checked?.text === text ? checked.report : undefined;
  const findings = toFindings(text, parsed.error, report);
  const savesWithErrors = report !== undefined && !report.valid;

  async function check(): Promise<DefinitionReport | undefined> {
    if (parsed.error !== undefined) {
      goTo(area.current, parsed.error.line ?? 1);
      return undefined;
    }
    if (!isObject(parsed.value))
      throw new Error('The payload must be an object with schema_version, version and survey.');
    const next = await client.surveys.validatePayload(parsed.value);
    setChecked({ text, report: next });
    return next;
  }

  async function run(step: 'check' | 'save', action: () => Promise<void>): Promise<void> {
    if (pending !== undefined) return;
    setPending(step);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      isLeaving.current = false;
      setError(failure);
    } finally {
      setPending(undefined);
    }
  }

  async function save(): Promise<void> {
    const valid = savesWithErrors || (await check())?.valid === true;
    if (!valid || parsed.error !== undefined) return;
    isLeaving.current = true;
    // The platform checks the payload again, and reports each wrong member.
    await onSubmit(parsed.value as CreateSurveyRequest);
  }

  async function readFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) throw new Error('The file is too large: a definition has at most 1 MiB.');
    setText(await file.text());
  }

  return (
    <>
      <form
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void run('save', save);
        }}
      >
        <Field label="Read a JSON file">
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".json,application/json"
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                void readFile(file).then(() => setError(undefined), setError);
              }}
            />
          )}
        </Field>
        <Field
          label="Definition as JSON"
          error={parsed.error === undefined ? undefined : `This is not valid JSON: ${parsed.error.message}`}
        >
          {(control) => (
            <textarea
              {...control}
              ref={area}
              className="input code-input"
              rows={28}
              wrap="off"
              dir="ltr"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div role="status">
          {report !== undefined && (
            <div className="notice" data-tone={report.valid ? undefined : 'warn'}>
              <p>
                The definition has {describeFindings(report)}.
                {report.valid ? '' : ' You can save it, but it cannot be published until they are corrected.'}
              </p>
            </div>
          )}
        </div>
        {findings.length > 0 && <FindingList findings={findings} onSelect={(line) => goTo(area.current, line)} />}
        {error !== undefined && <ErrorNotice error={error} />}
        {children?.(() => setError(undefined))}
        <div className="row">
          <Button type="submit" variant="primary" isPending={pending === 'save'}>
            {savesWithErrors ? `${submitLabel} with errors` : submitLabel}
          </Button>
          <Button isPending={pending === 'check'} onPress={() => void run('check', async () => void (await check()))}>
            Check
          </Button>
        </div>
      </form>
      <UnsavedChanges
        isDirty={() => isDirty && !isLeaving.current}
        loss="Your changes to the definition will be lost."
      />
    </>
  );
}

function toFindings(
  text: string,
  syntax: { readonly message: string; readonly line: number | undefined } | undefined,
  report: DefinitionReport | undefined,
): readonly Finding[] {
  if (syntax !== undefined)
    return [{ severity: 'error', line: syntax.line ?? 1, code: 'INVALID_JSON', detail: syntax.message }];
  return report === undefined ? [] : locateFindings(text, report);
}

/** Selects a line of the text, and scrolls to it. */
function goTo(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const lineHeight = area.scrollHeight / lines.length;
  area.scrollTop = Math.max(0, (line - 4) * lineHeight);
  area.scrollLeft = 0;
}
