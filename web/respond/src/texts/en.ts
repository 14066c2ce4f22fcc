import type { Messages } from './messages.ts';
import { createPlural } from './plural.ts';

const characters = createPlural('en', { one: '# character', other: '# characters' });
const seconds = createPlural('en', { one: '# second', other: '# seconds' });

export const en: Messages = {
  tag: 'en',
  loading: 'Loading the survey…',
  start: 'Start',
  next: 'Next',
  back: 'Back',
  submit: 'Submit',
  retry: 'Try again',
  restart: 'Start again',
  clear: 'Clear my choice',
  required: 'required',
  language: 'Language',
  choose: 'Choose an option',
  other: 'Other',
  otherText: 'Your own answer',
  page: (number, count) => `Page ${number} of ${count}`,
  understood: (local, plain) => `Read as the decimal number ${local} (${plain})`,
  checkAnswers: 'Please check these answers',
  noQuestions: 'This survey has no questions for you.',
  preview: 'Preview: nothing is submitted.',

  addFiles: 'Choose files',
  remove: (name) => `Remove ${name}`,
  uploading: (name) => `Uploading ${name}`,
  uploaded: (name) => `${name} is uploaded`,
  uploadRunning: 'Please wait until your files are uploaded.',
  removeFailedUploads: 'Please remove the files that were not uploaded.',
  uploadFailed: 'The upload failed.',
  fileTooLarge: 'This file is too large.',
  fileKindRefused: 'This kind of file is not accepted.',
  tooManyFiles: 'These are too many files. Not uploaded:',

  keepOnDevice: 'Keep my answers on this device',
  keepOnDeviceHint:
    'So you can continue after closing the browser. Only choose this on a device that nobody else uses.',
  notSaved: 'Your answers are not saved yet. They are kept in this browser, and sent when you continue.',
  sending: 'Sending your answers…',
  noConnection: 'There is no connection. Please try again later.',
  offlineAnswersKept:
    'There is no connection. Your answers are kept in this browser and sent as soon as possible. Keep this page open.',
  busy: 'The platform is busy. Your answers are sent again in a moment. Keep this page open.',
  rejected: 'Your answers could not be sent.',

  passwordTitle: 'This survey needs a password',
  passwordLabel: 'Password',
  passwordSubmit: 'Open the survey',
  passwordWrong: 'This password is wrong.',
  passwordLater: (count) => `Too many attempts. Please try again in ${seconds(count)}.`,

  thankYou: { title: 'Thank you', text: 'Your answers have been submitted.' },
  disqualified: { title: 'Thank you for your interest', text: 'This survey is for other respondents.' },
  notFound: { title: 'There is no such survey', text: 'Please check the address.' },
  notOpenYet: { title: 'This survey is not open yet', text: 'Please come back later.' },
  closed: { title: 'This survey is closed', text: 'It takes no more answers.' },
  full: { title: 'This survey is full', text: 'It has as many answers as it needs.' },
  linkNeeded: {
    title: 'You need a personal link',
    text: 'Please open the survey with the complete link that you got.',
  },
  linkExpired: { title: 'This link has expired', text: 'Please ask for a new one.' },
  linkUsed: { title: 'This link has been used', text: 'It takes no more answers.' },
  alreadySubmitted: { title: 'Your answers were already submitted', text: 'You can close this page.' },
  elsewhere: {
    title: 'Continue on the other device',
    text: 'You began this survey on another device, or in another browser. It can only be continued there.',
  },
  changed: {
    title: 'Your answers were changed on another device',
    text: 'These answers differ. If you answered on both devices, choose the answer that counts.',
  },
  onOtherDevice: 'On the other device:',
  onThisDevice: 'On this device:',
  noAnswer: 'no answer',
  failed: { title: 'The survey cannot be shown', text: 'Please try again later.' },
  requestId: (id) => `If you report this problem, mention the request ${id}.`,

  hints: {
    length: (max) => `At most ${characters(max)}`,
    selections: (min, max) =>
      min > 0 && max !== undefined
        ? `Choose ${min === max ? min : `${min} to ${max}`}`
        : max === undefined
          ? `Choose at least ${min}`
          : `Choose at most ${max}`,
    range: (min, max) => `From ${min} to ${max}`,
    atLeast: (min) => `From ${min}`,
    atMost: (max) => `Until ${max}`,
    rows: (count) => `Rows to answer: at least ${count}`,
    files: (max) => `At most ${max} files`,
  },
  problems: {
    required: 'Please answer this question.',
    format: {
      email: 'Enter an email address, such as name@example.com.',
      url: 'Enter an address that begins with https:// or http://.',
      phone: 'Enter a phone number with 5 to 15 digits.',
      number: 'Enter a number, without separators of thousands.',
      integer: 'Enter a whole number.',
      date: 'Enter a complete date.',
      time: 'Enter a complete time.',
    },
    pattern: 'This text does not have the expected form.',
    otherText: 'Please enter your own answer.',
    exclusive: 'This option cannot be combined with others.',
    tooComplex: 'Please shorten this text.',
    tooShort: (min) => `Enter at least ${characters(min)}.`,
    invalid: 'This answer is not accepted.',
  },
};
