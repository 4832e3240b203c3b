module.exports = {
  desk: {
    input: './openapi.json',
    output: { target: './orval/desk.ts', client: 'fetch', mode: 'single', baseUrl: process.env.DESK },
  },
};
