declare module '*.css';
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports the text of a file as the default.
  export default text;
}
