import type { Messages } from './messages.ts';
import { createPlural } from './plural.ts';

const characters = createPlural('es', { one: '# carácter', other: '# caracteres' });
const seconds = createPlural('es', { one: '# segundo', other: '# segundos' });

export const es: Messages = {
  tag: 'es',
  loading: 'Cargando la encuesta…',
  start: 'Empezar',
  next: 'Siguiente',
  back: 'Atrás',
  submit: 'Enviar',
  retry: 'Intentar de nuevo',
  restart: 'Empezar de nuevo',
  clear: 'Borrar mi elección',
  required: 'obligatoria',
  language: 'Idioma',
  choose: 'Elija una opción',
  other: 'Otra',
  otherText: 'Su propia respuesta',
  page: (number, count) => `Página ${number} de ${count}`,
  understood: (local, plain) => `Leído como el número decimal ${local} (${plain})`,
  checkAnswers: 'Revise estas respuestas',
  noQuestions: 'Esta encuesta no tiene preguntas para usted.',
  preview: 'Vista previa: no se envía nada.',

  addFiles: 'Elegir archivos',
  remove: (name) => `Quitar ${name}`,
  uploading: (name) => `Subiendo ${name}`,
  uploaded: (name) => `Se ha subido ${name}`,
  uploadRunning: 'Espere a que se suban sus archivos.',
  removeFailedUploads: 'Quite los archivos que no se han subido.',
  uploadFailed: 'No se pudo subir el archivo.',
  fileTooLarge: 'Este archivo es demasiado grande.',
  fileKindRefused: 'No se acepta este tipo de archivo.',
  tooManyFiles: 'Son demasiados archivos. No se subieron:',

  keepOnDevice: 'Conservar mis respuestas en este dispositivo',
  keepOnDeviceHint:
    'Así podrá continuar después de cerrar el navegador. Elíjalo solo en un dispositivo que no use nadie más.',
  notSaved: 'Sus respuestas aún no están guardadas. Este navegador las conserva y las enviará cuando continúe.',
  sending: 'Enviando sus respuestas…',
  noConnection: 'No hay conexión. Inténtelo de nuevo más tarde.',
  offlineAnswersKept:
    'No hay conexión. Este navegador conserva sus respuestas y las enviará en cuanto sea posible. Mantenga abierta esta página.',
  busy: 'La plataforma está ocupada. Sus respuestas se enviarán de nuevo en un momento. Mantenga abierta esta página.',
  rejected: 'No se pudieron enviar sus respuestas.',

  passwordTitle: 'Esta encuesta requiere una contraseña',
  passwordLabel: 'Contraseña',
  passwordSubmit: 'Abrir la encuesta',
  passwordWrong: 'La contraseña es incorrecta.',
  passwordLater: (count) => `Demasiados intentos. Inténtelo de nuevo en ${seconds(count)}.`,

  thankYou: { title: 'Gracias', text: 'Sus respuestas se han enviado.' },
  disqualified: { title: 'Gracias por su interés', text: 'Esta encuesta está dirigida a otras personas.' },
  notFound: { title: 'Esta encuesta no existe', text: 'Compruebe la dirección.' },
  notOpenYet: { title: 'Esta encuesta aún no está abierta', text: 'Vuelva más tarde.' },
  closed: { title: 'Esta encuesta está cerrada', text: 'Ya no acepta respuestas.' },
  full: { title: 'Esta encuesta está completa', text: 'Ya tiene las respuestas que necesita.' },
  linkNeeded: {
    title: 'Necesita un enlace personal',
    text: 'Abra la encuesta con el enlace completo que recibió.',
  },
  linkExpired: { title: 'Este enlace ha caducado', text: 'Solicite uno nuevo.' },
  linkUsed: { title: 'Este enlace ya se ha usado', text: 'Ya no acepta respuestas.' },
  alreadySubmitted: { title: 'Sus respuestas ya se enviaron', text: 'Puede cerrar esta página.' },
  elsewhere: {
    title: 'Continúe en el otro dispositivo',
    text: 'Empezó esta encuesta en otro dispositivo o en otro navegador. Solo puede continuar allí.',
  },
  changed: {
    title: 'Sus respuestas se cambiaron en otro dispositivo',
    text: 'Estas respuestas son diferentes. Si respondió en los dos dispositivos, elija la respuesta que vale.',
  },
  onOtherDevice: 'En el otro dispositivo:',
  onThisDevice: 'En este dispositivo:',
  noAnswer: 'sin respuesta',
  failed: { title: 'No se puede mostrar la encuesta', text: 'Inténtelo de nuevo más tarde.' },
  requestId: (id) => `Si informa de este problema, indique la solicitud ${id}.`,

  hints: {
    length: (max) => `Como máximo ${characters(max)}`,
    selections: (min, max) =>
      min > 0 && max !== undefined
        ? `Elija ${min === max ? min : `de ${min} a ${max}`}`
        : max === undefined
          ? `Elija al menos ${min}`
          : `Elija como máximo ${max}`,
    range: (min, max) => `De ${min} a ${max}`,
    atLeast: (min) => `Desde ${min}`,
    atMost: (max) => `Hasta ${max}`,
    rows: (count) => `Filas por responder: al menos ${count}`,
    files: (max) => `Como máximo ${max} archivos`,
  },
  problems: {
    required: 'Responda a esta pregunta.',
    format: {
      email: 'Escriba una dirección de correo electrónico, como nombre@example.com.',
      url: 'Escriba una dirección que empiece por https:// o http://.',
      phone: 'Escriba un número de teléfono de 5 a 15 dígitos.',
      number: 'Escriba un número, sin separador de millares.',
      integer: 'Escriba un número entero.',
      date: 'Escriba una fecha completa.',
      time: 'Escriba una hora completa.',
    },
    pattern: 'Este texto no tiene la forma esperada.',
    otherText: 'Escriba su propia respuesta.',
    exclusive: 'Esta opción no se puede combinar con otras.',
    tooComplex: 'Acorte este texto.',
    tooShort: (min) => `Escriba al menos ${characters(min)}.`,
    invalid: 'No se acepta esta respuesta.',
  },
};
