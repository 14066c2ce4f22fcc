import { runProcess } from '@survey/runtime/service/run-process';
import { createSurveyApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'survey', settings, createApp: createSurveyApp });
