import type { Messages } from './messages.ts';
import { createPlural } from './plural.ts';

const seconds = createPlural('de', { one: '# Sekunde', other: '# Sekunden' });

export const de: Messages = {
  tag: 'de',
  loading: 'Die Umfrage wird geladen …',
  start: 'Beginnen',
  next: 'Weiter',
  back: 'Zurück',
  submit: 'Absenden',
  retry: 'Noch einmal versuchen',
  restart: 'Neu beginnen',
  clear: 'Auswahl aufheben',
  required: 'Pflichtfrage',
  language: 'Sprache',
  choose: 'Bitte auswählen',
  other: 'Sonstiges',
  otherText: 'Eigene Antwort',
  page: (number, count) => `Seite ${number} von ${count}`,
  understood: (local, plain) => `Gelesen als Dezimalzahl ${local} (${plain})`,
  checkAnswers: 'Bitte prüfen Sie diese Antworten',
  noQuestions: 'Diese Umfrage hat keine Fragen für Sie.',
  preview: 'Vorschau: Es wird nichts gesendet.',

  addFiles: 'Dateien auswählen',
  remove: (name) => `${name} entfernen`,
  uploading: (name) => `${name} wird hochgeladen`,
  uploaded: (name) => `${name} ist hochgeladen`,
  uploadRunning: 'Bitte warten Sie, bis Ihre Dateien hochgeladen sind.',
  removeFailedUploads: 'Bitte entfernen Sie die Dateien, die nicht hochgeladen wurden.',
  uploadFailed: 'Das Hochladen ist fehlgeschlagen.',
  fileTooLarge: 'Diese Datei ist zu groß.',
  fileKindRefused: 'Dateien dieser Art werden nicht angenommen.',
  tooManyFiles: 'Das sind zu viele Dateien. Nicht hochgeladen:',

  keepOnDevice: 'Meine Antworten auf diesem Gerät speichern',
  keepOnDeviceHint:
    'So können Sie weitermachen, nachdem Sie den Browser geschlossen haben. Nur für Geräte, die sonst niemand benutzt.',
  notSaved:
    'Ihre Antworten sind noch nicht gespeichert. Dieser Browser behält sie und sendet sie, sobald Sie weitermachen.',
  sending: 'Ihre Antworten werden gesendet …',
  noConnection: 'Es besteht keine Verbindung. Bitte versuchen Sie es später noch einmal.',
  offlineAnswersKept:
    'Es besteht keine Verbindung. Ihre Antworten bleiben in diesem Browser und werden so bald wie möglich gesendet. Lassen Sie diese Seite geöffnet.',
  busy: 'Die Plattform ist ausgelastet. Ihre Antworten werden gleich noch einmal gesendet. Lassen Sie diese Seite geöffnet.',
  rejected: 'Ihre Antworten konnten nicht gesendet werden.',

  passwordTitle: 'Für diese Umfrage brauchen Sie ein Passwort',
  passwordLabel: 'Passwort',
  passwordSubmit: 'Umfrage öffnen',
  passwordWrong: 'Dieses Passwort ist falsch.',
  passwordLater: (count) => `Zu viele Versuche. Bitte versuchen Sie es in ${seconds(count)} noch einmal.`,

  thankYou: { title: 'Vielen Dank', text: 'Ihre Antworten sind angekommen.' },
  disqualified: { title: 'Vielen Dank für Ihr Interesse', text: 'Diese Umfrage richtet sich an andere Personen.' },
  notFound: { title: 'Diese Umfrage gibt es nicht', text: 'Bitte prüfen Sie die Adresse.' },
  notOpenYet: { title: 'Diese Umfrage hat noch nicht begonnen', text: 'Bitte kommen Sie später wieder.' },
  closed: { title: 'Diese Umfrage ist beendet', text: 'Sie nimmt keine Antworten mehr an.' },
  full: { title: 'Diese Umfrage ist vollständig', text: 'Weitere Antworten werden nicht gebraucht.' },
  linkNeeded: {
    title: 'Sie brauchen einen persönlichen Link',
    text: 'Bitte öffnen Sie die Umfrage mit dem vollständigen Link, den Sie bekommen haben.',
  },
  linkExpired: { title: 'Dieser Link ist abgelaufen', text: 'Bitte fordern Sie einen neuen an.' },
  linkUsed: { title: 'Dieser Link wurde schon benutzt', text: 'Mit ihm können Sie nicht noch einmal antworten.' },
  alreadySubmitted: { title: 'Ihre Antworten sind schon angekommen', text: 'Sie können diese Seite schließen.' },
  elsewhere: {
    title: 'Machen Sie auf dem anderen Gerät weiter',
    text: 'Sie haben diese Umfrage auf einem anderen Gerät oder in einem anderen Browser begonnen. Nur dort geht es weiter.',
  },
  changed: {
    title: 'Ihre Antworten wurden auf einem anderen Gerät geändert',
    text: 'Diese Antworten sind verschieden. Wenn Sie auf beiden Geräten geantwortet haben, wählen Sie die Antwort, die gilt.',
  },
  onOtherDevice: 'Auf dem anderen Gerät:',
  onThisDevice: 'Auf diesem Gerät:',
  noAnswer: 'keine Antwort',
  failed: { title: 'Die Umfrage kann nicht angezeigt werden', text: 'Bitte versuchen Sie es später noch einmal.' },
  requestId: (id) => `Wenn Sie dieses Problem melden, nennen Sie bitte die Anfrage ${id}.`,

  hints: {
    length: (max) => `Höchstens ${max} Zeichen`,
    selections: (min, max) =>
      min > 0 && max !== undefined
        ? `Wählen Sie ${min === max ? min : `${min} bis ${max}`} aus`
        : max === undefined
          ? `Wählen Sie mindestens ${min} aus`
          : `Wählen Sie höchstens ${max} aus`,
    range: (min, max) => `Von ${min} bis ${max}`,
    atLeast: (min) => `Ab ${min}`,
    atMost: (max) => `Bis ${max}`,
    rows: (count) => `Zu beantwortende Zeilen: mindestens ${count}`,
    files: (max) => `Höchstens ${max} Dateien`,
  },
  problems: {
    required: 'Bitte beantworten Sie diese Frage.',
    format: {
      email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      url: 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.',
      phone: 'Geben Sie eine Telefonnummer mit 5 bis 15 Ziffern ein.',
      number: 'Geben Sie eine Zahl ein, ohne Trennzeichen zwischen Tausendern.',
      integer: 'Geben Sie eine ganze Zahl ein.',
      date: 'Geben Sie ein vollständiges Datum ein.',
      time: 'Geben Sie eine vollständige Uhrzeit ein.',
    },
    pattern: 'Dieser Text hat nicht die erwartete Form.',
    otherText: 'Bitte geben Sie Ihre eigene Antwort ein.',
    exclusive: 'Diese Antwort lässt sich nicht mit anderen kombinieren.',
    tooComplex: 'Bitte kürzen Sie diesen Text.',
    tooShort: (min) => `Geben Sie mindestens ${min} Zeichen ein.`,
    invalid: 'Diese Antwort wird nicht angenommen.',
  },
};
