import { runProcess } from '@survey/runtime/service/run-process';
import { createImportApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'import', settings, createApp: createImportApp });
