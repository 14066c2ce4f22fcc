import { describe, expect, it } from 'vitest';
import type { InstalledProcess } from '../admin/installation.ts';
import { readServices } from './doctor.ts';

const survey: InstalledProcess = {
  env: {
    MONGODB_URI: 'mongodb://db',
    KAFKA_BROKERS: 'kafka:9092',
    INTERNAL_JWKS_FILE: '/etc/survey/survey/internal-jwks/jwks.json',
  },
  is_partial: true,
};

const read = (changes: Partial<InstalledProcess>) => readServices({ processes: { survey: { ...survey, ...changes } } });

const withUri = (uri: string) => ({ env: { ...survey.env, MONGODB_URI: uri }, secrets_folder: '/etc/survey/survey' });

describe('the settings of a service', () => {
  it.each([
    ['tlsCAFile=/etc/survey/mongodb/ca.crt', 'tlsCAFile=/etc/survey/survey/mongodb/ca.crt'],
    ['tlsCAFile=%2Fetc%2Fsurvey%2Fmongodb%2Fca.crt', 'tlsCAFile=%2Fetc%2Fsurvey%2Fsurvey%2Fmongodb%2Fca.crt'],
    // A volume of the values is at the same path here.
    ['tlsCAFile=/etc/survey-ca/ca.crt', 'tlsCAFile=/etc/survey-ca/ca.crt'],
  ])('name the files of its Secrets in this pod: %s', (option, moved) => {
    const { services, findings } = read(withUri(`mongodb://db/?${option}`));
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(services.map(({ uri }) => uri)).toEqual([`mongodb://db/?${moved}`]);
  });

  it.each(['MONGODB_DATABASE', 'MONGODB_URI_FILE', 'KAFKA_TLS', 'KAFKA_SASL_PASSWORD'])(
    'are not enough for a connection if %s comes from elsewhere',
    (variable) => {
      const { services, findings } = read({ unknown_env: { variables: [variable], others: false } });
      expect(services).toEqual([]);
      expect(findings.map(({ level }) => level)).toEqual(['warning', 'ok']);
    },
  );

  it('are enough if only other variables come from elsewhere', () => {
    const { services } = read({ unknown_env: { variables: ['LOG_LEVEL'], others: false } });
    expect(services).toMatchObject([{ name: 'survey', database: 'survey-survey' }]);
  });
});
