import type { SurveySettings, SurveySettingsPatch, UpdateSurveyRequest } from '@survey/client';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, FieldGroup, SelectField, TextField } from '../ui/fields.tsx';
import { fromChangedLocalTime, toLocalTime } from '../ui/format.tsx';
import type { AllMembers } from '../ui/search-values.ts';
import { ProjectSelect } from './project-select.tsx';
import { type SurveyRecord, useInvalidateSurvey } from './use-survey.ts';

/** Changes the settings and the project of a survey. */
export function SettingsButton({ record }: { readonly record: SurveyRecord }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Change</Button>
      {isOpen && <SettingsDialog record={record} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Props {
  readonly record: SurveyRecord;
  readonly onClose: () => void;
}

const NO_LANGUAGE = 'Choose at least one language.';

function SettingsDialog({ record, onClose }: Props) {
  const client = useClient();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  // The form changes the survey as it was when the dialog opened.
  const [{ survey, etag }] = useState(record);
  const { settings } = survey;
  const [projectId, setProjectId] = useState(survey.project_id);
  const [access, setAccess] = useState<NonNullable<SurveySettings['access']>>(settings.access ?? 'open');
  const [opensAt, setOpensAt] = useState(toLocalTime(settings.opens_at));
  const [closesAt, setClosesAt] = useState(toLocalTime(settings.closes_at));
  const [responseLimit, setResponseLimit] = useState(toNumberText(settings.response_limit));
  const [retentionDays, setRetentionDays] = useState(toNumberText(settings.retention_days));
  const [resumes, setResumes] = useState(settings.resume_across_devices === false ? 'first' : 'anywhere');
  const supported = survey.definition.supported_languages;
  const [languages, setLanguages] = useState(() => offeredLanguages(supported, settings.languages ?? []));

  async function save(): Promise<void> {
    if (languages.length === 0 && supported.length > 0) throw new Error(NO_LANGUAGE);
    const input = {
      project_id: projectId ?? null,
      settings: {
        access,
        opens_at: fromChangedLocalTime(opensAt, settings.opens_at) ?? null,
        closes_at: fromChangedLocalTime(closesAt, settings.closes_at) ?? null,
        response_limit: toNumber(responseLimit),
        retention_days: toNumber(retentionDays),
        resume_across_devices: resumes === 'anywhere',
        languages: languages.length === supported.length ? null : [...languages],
      } satisfies AllMembers<SurveySettingsPatch, 'metadata_fields'>,
    } satisfies AllMembers<UpdateSurveyRequest>;
    await client.surveys.update(survey.id, input, { ifMatch: etag });
    announce('The settings are saved.');
    await invalidateSurvey(survey.id);
  }

  return (
    <FormDialog title="Access and limits" isOpen onClose={onClose} submitLabel="Save" onSubmit={save}>
      <SelectField
        label="Respondents"
        value={access}
        onChange={setAccess}
        options={[
          { value: 'open', label: 'Everybody with the address, or with a link' },
          { value: 'links_only', label: 'Only with a link' },
        ]}
      />
      <TextField
        label="Opens"
        description="Responses are rejected before this time, in your time zone."
        type="datetime-local"
        value={opensAt}
        onChange={setOpensAt}
      />
      <TextField
        label="Closes"
        description="The survey closes itself at this time."
        type="datetime-local"
        value={closesAt}
        onChange={setClosesAt}
      />
      <TextField
        label="Response limit"
        description="Maximum number of completed responses. Empty for no limit."
        type="number"
        value={responseLimit}
        onChange={setResponseLimit}
      />
      <TextField
        label="Days to keep responses"
        description="Older responses are deleted for good. Empty to keep them."
        type="number"
        value={retentionDays}
        onChange={setRetentionDays}
      />
      <SelectField
        label="Single-use links"
        value={resumes}
        onChange={setResumes}
        options={[
          { value: 'anywhere', label: 'Continue on every device: whoever has the address sees unfinished answers' },
          { value: 'first', label: 'Continue only on the device that began' },
        ]}
      />
      {supported.length > 1 && (
        <FieldGroup label="Offered languages" error={languages.length === 0 ? NO_LANGUAGE : undefined}>
          {supported.map((language) => (
            <Checkbox
              key={language}
              label={language}
              checked={languages.includes(language)}
              onChange={(checked) =>
                setLanguages(supported.filter((tag) => (tag === language ? checked : languages.includes(tag))))
              }
            />
          ))}
        </FieldGroup>
      )}
      <ProjectSelect noneLabel="No project" value={projectId} onChange={setProjectId} />
    </FormDialog>
  );
}

/** The languages of the definition that the settings name. If they name none, all are offered. */
function offeredLanguages(supported: readonly string[], named: readonly string[]): readonly string[] {
  const offered = supported.filter((tag) => named.includes(tag));
  return offered.length === 0 ? supported : offered;
}

function toNumberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function toNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}
