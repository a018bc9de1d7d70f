using Deque.AxeCore.Commons;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>What a reader of a page sees in a browser, held against what a page may not look like.</summary>
internal static class PageLook
{
    // Every piece of text that is drawn, where it is drawn: what a box cuts off is not seen.
    private const string Faults = """
        (() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
          const faults = [], boxes = [];
          if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
            faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
          if (/NaN|Infinity|∞|undefined|\[object/.test(document.body.innerText)) faults.push('NaN or the like');
          for (const path of document.querySelectorAll('svg path'))
            if (!path.getAttribute('d') || /NaN|Infinity/.test(path.getAttribute('d'))) faults.push('a path of nothing');
          for (const figure of document.querySelectorAll('.chart')) {
            if (!figure.querySelector('.line, .heat')) faults.push('an empty chart');
            if (!figure.querySelector('.note')?.textContent) faults.push('a chart that says not how to read it');
            if (!figure.querySelector('table tbody tr')) faults.push('a chart without its data');
          }
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode, parent = node.parentElement;
            if (!node.textContent.trim() || parent.closest('script, style, svg') || !parent.checkVisibility()) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            let frame = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
            for (let e = parent; e && e !== document.body; e = e.parentElement) {
              if (getComputedStyle(e).overflowX === 'visible') continue;
              const box = e.getBoundingClientRect();
              frame = { left: Math.max(frame.left, box.left), top: Math.max(frame.top, box.top),
                right: Math.min(frame.right, box.right), bottom: Math.min(frame.bottom, box.bottom) };
            }
            for (const line of range.getClientRects()) {
              const box = { left: Math.max(line.left, frame.left), top: Math.max(line.top, frame.top),
                right: Math.min(line.right, frame.right), bottom: Math.min(line.bottom, frame.bottom),
                text: node.textContent.trim().slice(0, 40), node };
              if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
              if (box.left < 0 || box.right > innerWidth + 1) faults.push(`'${box.text}' reaches beyond the window`);
              boxes.push(box);
            }
          }
          boxes.sort((a, b) => a.top - b.top);
          for (let i = 0; i < boxes.length; i++)
            for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom - 3; j++)
              if (boxes[i].node !== boxes[j].node
                && Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left) > 1)
                faults.push(`'${boxes[i].text}' and '${boxes[j].text}' overlap`);
          if (boxes.length < 3) faults.push('nearly nothing is there');
          return faults.slice(0, 20).join('\n');
        })()
        """;

    // The least contrast of text, by the Web Content Accessibility Guidelines 2.2 (1.4.3).
    private const string Contrast = """
        (() => {
          const light = text => {
            const [r, g, b] = text.match(/[\d.]+/g).map(Number).map(one => one / 255)
              .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
            return .2126 * r + .7152 * g + .0722 * b;
          };
          const paper = light(getComputedStyle(document.body).backgroundColor);
          let least = 21, where = '';
          for (const e of document.querySelectorAll('h1,p,li,dt,dd,td,th,label,summary,figcaption,.frame span')) {
            const ink = light(getComputedStyle(e).color);
            const ratio = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
            if (ratio < least) [least, where] = [ratio, `${e.tagName} ${e.className}`];
          }
          return least >= 4.5 ? '' : `${where} has a contrast of ${least}`;
        })()
        """;

    // What axe-core calls serious or critical: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#results
    private const string Barriers = """
        axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations
          .filter(one => one.impact === 'serious' || one.impact === 'critical')
          .map(one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html.slice(0, 120)).slice(0, 3).join(' ')}`)
          .join('\n'))
        """;

    private static readonly string Axe = new BundledAxeScriptProvider().GetScript() + ";0";

    /// <summary>Looks at a page in a wide window and in a narrow one, by day and by night.</summary>
    public static async Task ShouldLookRight(ChromiumBrowser browser, string file)
    {
        foreach (var width in new[] { 1280, 390 })
        {
            await using var page = await browser.Open(file, width);
            await page.Evaluate(Axe);
            foreach (var isDark in new[] { false, true })
            {
                await page.Light(isDark);
                (await page.Evaluate(Faults))!.GetValue<string>().ShouldBeEmpty($"{file} at {width}");
                (await page.Evaluate(Contrast))!.GetValue<string>().ShouldBeEmpty($"{file}, dark: {isDark}");
                (await page.Evaluate(Barriers))!.GetValue<string>().ShouldBeEmpty($"{file} at {width}, dark: {isDark}");
            }

            page.Requests.ShouldBe([new Uri(file).AbsoluteUri], $"{file} asks for more than itself");
            page.Complaints.ShouldBeEmpty(file);
        }
    }
}
