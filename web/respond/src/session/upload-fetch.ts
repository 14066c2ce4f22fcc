/**
 * A `fetch` that reports the progress of the upload, which the real one cannot. Browsers follow redirects here, which
 * sends the headers again, but only within the page's origin: see `connect-src`. The reply is then a redirect.
 *
 * @param onProgress gets the sent share, from 0 to 1
 */
export function createUploadFetch(onProgress: (share: number) => void): typeof fetch {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, String(url));
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        const { status, responseText, responseURL: location } = request;
        if (location !== new URL(String(url), document.baseURI).href)
          return resolve(new Response(null, { status: 307, headers: { location } }));
        resolve(new Response(responseText, { status, headers: readHeaders(request.getAllResponseHeaders()) }));
      };
      request.onerror = () => reject(new TypeError('the connection was lost'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit);
    });
}

function readHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n').filter((one) => one !== '')) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
