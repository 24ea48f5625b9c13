// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  static let style = """
    :root {
      color-scheme: light dark;
      --ground: #f4f6f8; --card: #ffffff; --line: #dbe1e7; --text: #16202b; --quiet: #566473;
      --accent: #0b6bcb; --good: #17703a; --warn: #9a5200; --bad: #b3261e; --flag: #fdf0dc;
      --fresh: #e4f1ff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #0f151b; --card: #18212a; --line: #2b3844; --text: #e8eef4; --quiet: #9cabba;
        --accent: #6cb3ff; --good: #62cf8b; --warn: #f3b562; --bad: #ff8f86; --flag: #3a2b12;
        --fresh: #1d3850;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body {
      margin: 0; background: var(--ground); color: var(--text);
      font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    header, main { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
    header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
    h1 { font-size: 1.25rem; letter-spacing: .01em; margin: 1rem 0; }
    h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
    #state { margin: 0; font-size: .875rem; color: var(--quiet); }
    #state::before {
      content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .5em;
      border-radius: 50%; background: var(--quiet);
    }
    #state[data-state=live]::before { background: var(--good); }
    #state[data-state=lost] { color: var(--bad); font-weight: 600; }
    #state[data-state=lost]::before { background: var(--bad); }
    #login, #empty {
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem;
    }
    #login { max-width: 32rem; margin: 2rem auto; }
    #login p { margin: 0 0 .75rem; color: var(--quiet); }
    #login #refusal { color: var(--bad); }
    #login #refusal:empty { display: none; }
    label { font-weight: 600; }
    .field { display: flex; gap: .5rem; margin-top: .25rem; }
    input, button { font: inherit; padding: .5rem .75rem; border-radius: .4rem; }
    input { flex: 1; min-width: 0; border: 1px solid var(--quiet); background: var(--ground); color: var(--text); }
    button { border: 0; background: var(--accent); color: var(--card); font-weight: 600; cursor: pointer; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    #totals { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin: 0 0 1rem; }
    #totals div {
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .9rem;
    }
    #totals dt { font-size: .8125rem; color: var(--quiet); }
    #totals dd { margin: 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    #totals .some[data-total=rejected] { color: var(--bad); }
    #empty { color: var(--quiet); margin: 0; }
    #readings { list-style: none; margin: 0 0 2rem; padding: 0; }
    #readings li {
      display: grid; grid-template-columns: 9.5rem 14rem 1fr; gap: .25rem 1.25rem; align-items: start;
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
      padding: .75rem .9rem; margin-bottom: .5rem;
    }
    .quiet { display: block; font-size: .8125rem; color: var(--quiet); overflow-wrap: anywhere; }
    .warn { color: var(--warn); }
    .who { font-weight: 600; overflow-wrap: anywhere; }
    .clock { font-weight: 600; font-variant-numeric: tabular-nums; }
    #readings .former dd { color: var(--quiet); }
    .values { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; }
    .values dt { font-size: .8125rem; color: var(--quiet); }
    .values dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    .values small { font-size: .875rem; font-weight: 400; color: var(--quiet); }
    .marks { margin-top: .35rem; display: flex; flex-wrap: wrap; gap: .35rem; }
    .mark {
      font-size: .8125rem; padding: .1rem .55rem; border-radius: 1rem; border: 1px solid var(--warn);
      background: var(--flag); color: var(--warn);
    }
    .mark.plain { border-color: var(--line); background: none; color: var(--quiet); }
    @media (prefers-reduced-motion: no-preference) {
      @keyframes arrive { from { background: var(--fresh); } }
      #readings li.fresh { animation: arrive 4s ease-out; }
    }
    @media (max-width: 44rem) {
      #totals { grid-template-columns: repeat(2, 1fr); }
      #readings li { grid-template-columns: 1fr; }
    }
    """
}
