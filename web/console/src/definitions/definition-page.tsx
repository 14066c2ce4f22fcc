import type { Survey } from '@survey/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { SurveyActions } from '../surveys/survey-actions.tsx';
import { SurveyPage } from '../surveys/survey-page.tsx';
import {
  availableChoice,
  type DefinitionChoice,
  type DefinitionPayload,
  describeFindings,
  type SurveyRecord,
  useDefinition,
  useInvalidateSurvey,
  useReport,
} from '../surveys/use-survey.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button, CopyButton } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { saveFile } from '../ui/save-file.ts';
import { QueryView } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { DefinitionCode } from './definition-code.tsx';
import { DefinitionSelect } from './definition-select.tsx';
import { locateFindings } from './findings.tsx';
import { toJsonText } from './json-text.ts';

export function DefinitionPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/definition' });
  const { version } = useSearch({ from: '/surveys/$surveyId/definition' });
  return (
    <SurveyPage surveyId={surveyId} tab="Definition" actions={(record) => <SurveyActions record={record} />}>
      {(record) => <Definition record={record} choice={availableChoice(record.survey, version)} />}
    </SurveyPage>
  );
}

interface Props {
  readonly record: SurveyRecord;
  readonly choice: DefinitionChoice;
}

function Definition({ record, choice }: Props) {
  const { survey } = record;
  const navigate = useNavigate();
  const can = useCan();
  const definition = useDefinition(survey, choice);
  return (
    <div className="stack">
      <div className="row">
        <DefinitionSelect
          survey={survey}
          value={choice}
          onChange={(version) =>
            void navigate({
              to: '/surveys/$surveyId/definition',
              params: { surveyId: survey.id },
              search: version === undefined ? {} : { version },
              replace: true,
            })
          }
        />
        {can('surveys:write') && (
          <Link className="button" to="/surveys/$surveyId/edit" params={{ surveyId: survey.id }}>
            {survey.has_draft ? 'Edit the draft' : 'Edit'}
          </Link>
        )}
        {choice === 'draft' && can('surveys:write') && <DiscardDraft record={record} />}
      </div>
      <QueryView query={definition}>
        {(payload) => <CheckedDefinition survey={survey} choice={choice} payload={payload} />}
      </QueryView>
    </div>
  );
}

interface CheckedProps {
  readonly survey: Survey;
  readonly choice: DefinitionChoice;
  readonly payload: DefinitionPayload;
}

function CheckedDefinition({ survey, choice, payload }: CheckedProps) {
  const text = useMemo(() => toJsonText(payload), [payload]);
  const report = useReport(survey, payload);
  const findings = useMemo(
    () => (report.data === undefined ? [] : locateFindings(text, report.data)),
    [text, report.data],
  );
  const fileName = definitionFileName(survey.id, choice, payload.version);
  return (
    <>
      <QueryView query={report}>
        {(found) => (
          <div className="notice" data-tone={found.valid ? (found.warnings.length > 0 ? 'warn' : 'good') : 'bad'}>
            <p>
              This definition has {describeFindings(found)}.
              {found.valid ? '' : ' Errors must be corrected before it can be published.'}
            </p>
          </div>
        )}
      </QueryView>
      <div className="row">
        <CopyButton label="Copy" text={text} done="The definition is copied." />
        <Button onPress={() => saveFile(fileName, 'application/json', text)}>Download JSON</Button>
      </div>
      <DefinitionCode label="Definition as JSON" text={text} findings={findings} />
    </>
  );
}

function DiscardDraft({ record: { survey, etag } }: { readonly record: SurveyRecord }) {
  const client = useClient();
  const navigate = useNavigateAfter();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="danger" onPress={() => setOpen(true)}>
        Discard the draft
      </Button>
      <FormDialog
        title="Discard the draft?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submitLabel="Discard"
        isDangerous
        onSubmit={async () => {
          await client.surveys.deleteDraft(survey.id, { ifMatch: etag });
          announce('The draft is discarded.');
          await navigate({ to: '/surveys/$surveyId/definition', params: { surveyId: survey.id }, search: {} });
          await invalidateSurvey(survey.id);
        }}
      >
        <p>Version {survey.version} stays as it is. The draft cannot be restored.</p>
      </FormDialog>
    </>
  );
}

/** The name of the file with a definition. A draft has the number of the version that it is based on. */
export function definitionFileName(surveyId: string, choice: DefinitionChoice, version: number): string {
  return `survey-${surveyId}-${version}${choice === 'draft' ? '-draft' : ''}.json`;
}
