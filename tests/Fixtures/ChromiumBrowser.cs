using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net.WebSockets;
using System.Text.Json.Nodes;

namespace RedisLatency.Fixtures;

/// <summary>
/// The system's Chromium without a window, driven by its DevTools protocol
/// (<c>https://chromedevtools.github.io/devtools-protocol/</c>): what a page looks like is asked of who draws it.
/// </summary>
public sealed class ChromiumBrowser : IAsyncDisposable
{
    private const string Announcement = "DevTools listening on ";

    private static readonly string[] Quiet =
    [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
        "--remote-debugging-port=0",
    ];

    private readonly Process _process;
    private readonly string _folder;
    private readonly ClientWebSocket _socket = new();
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonNode>> _asked = new();
    private readonly ConcurrentDictionary<string, ChromiumPage> _pages = new();
    private readonly SemaphoreSlim _sending = new(1);
    private int _last;

    private ChromiumBrowser(Process process, string folder) => (_process, _folder) = (process, folder);

    /// <summary>Starts it with an empty profile; skips the test where there is none.</summary>
    public static async Task<ChromiumBrowser> Start()
    {
        var program = ServerRequirement.Require("chromium");
        var folder = Directory.CreateTempSubdirectory("redislatency-chromium-").FullName;
        var start = new ProcessStartInfo(program, [.. Quiet, $"--user-data-dir={folder}", "about:blank"])
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        var browser = new ChromiumBrowser(Process.Start(start)!, folder);
        var said = new CapturedLines(browser._process.StandardError);
        _ = new CapturedLines(browser._process.StandardOutput);
        var address = await said.WaitFor(Announcement);
        await browser._socket.ConnectAsync(new Uri(address[Announcement.Length..]), CancellationToken.None);
        _ = Task.Run(browser.Listen);
        return browser;
    }

    /// <summary>Opens a file as a window of a width would show it.</summary>
    public async Task<ChromiumPage> Open(string file, int width)
    {
        var target = (await Ask("Target.createTarget", new JsonObject { ["url"] = "about:blank" }))["targetId"]!
            .GetValue<string>();
        var attached = await Ask(
            "Target.attachToTarget", new JsonObject { ["targetId"] = target, ["flatten"] = true });
        var page = new ChromiumPage(this, target, attached["sessionId"]!.GetValue<string>());
        _pages[page.Session] = page;
        foreach (var domain in new[] { "Page", "Network", "Runtime", "Log" })
            await page.Ask($"{domain}.enable");
        await page.Ask("Emulation.setDeviceMetricsOverride", new JsonObject
        {
            ["width"] = width,
            ["height"] = 900,
            ["deviceScaleFactor"] = 1,
            ["mobile"] = width < 600,
        });
        await page.Light(isDark: false);
        await page.Ask("Page.navigate", new JsonObject { ["url"] = new Uri(file).AbsoluteUri });
        await page.Loaded.WaitAsync(ServiceProcess.LimitAgainstHangs);
        return page;
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
        _socket.Dispose();
        _sending.Dispose();
        try
        {
            Directory.Delete(_folder, recursive: true);
        }
        catch (IOException)
        {
            // A child of it may still be at its end; the folder lies in the system's own for such things.
        }
    }

    internal async Task<JsonNode> Ask(string method, JsonObject? parameters = null, string? session = null)
    {
        var id = Interlocked.Increment(ref _last);
        var answer = _asked[id] = new TaskCompletionSource<JsonNode>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        var message = new JsonObject { ["id"] = id, ["method"] = method, ["params"] = parameters ?? [] };
        if (session is not null)
            message["sessionId"] = session;
        var bytes = System.Text.Encoding.UTF8.GetBytes(message.ToJsonString());
        await _sending.WaitAsync();
        try
        {
            await _socket.SendAsync(bytes, WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);
        }
        finally
        {
            _sending.Release();
        }

        return await answer.Task.WaitAsync(ServiceProcess.LimitAgainstHangs);
    }

    private async Task Listen()
    {
        try
        {
            while (await Receive() is { } message)
            {
                if (message["id"]?.GetValue<int>() is { } id)
                    Settle(_asked[id], message);
                else if (message["sessionId"]?.GetValue<string>() is { } session
                    && _pages.TryGetValue(session, out var page))
                    page.Hear(message["method"]!.GetValue<string>(), message["params"]!);
            }
        }
        catch (Exception failure) when (failure is WebSocketException or ObjectDisposedException)
        {
            foreach (var asked in _asked.Values)
                asked.TrySetException(failure);
        }
    }

    private async Task<JsonNode?> Receive()
    {
        using var whole = new MemoryStream();
        var part = new byte[1 << 16];
        WebSocketReceiveResult got;
        do
        {
            got = await _socket.ReceiveAsync(part, CancellationToken.None);
            whole.Write(part, 0, got.Count);
        }
        while (!got.EndOfMessage);
        whole.Position = 0;
        return got.MessageType == WebSocketMessageType.Close ? null : JsonNode.Parse(whole);
    }

    private static void Settle(TaskCompletionSource<JsonNode> asked, JsonNode message)
    {
        if (message["error"] is { } error)
            asked.TrySetException(new InvalidOperationException(error.ToJsonString()));
        else
            asked.TrySetResult(message["result"]!);
    }
}

/// <summary>A page that is open in a <see cref="ChromiumBrowser"/>.</summary>
public sealed class ChromiumPage : IAsyncDisposable
{
    private readonly ChromiumBrowser _browser;
    private readonly string _target;
    private readonly ConcurrentQueue<string> _requests = [];
    private readonly ConcurrentQueue<string> _complaints = [];
    private bool _isThere;
    private volatile TaskCompletionSource _loaded = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal ChromiumPage(ChromiumBrowser browser, string target, string session) =>
        (_browser, _target, Session) = (browser, target, session);

    /// <summary>What it has asked for, its own address first.</summary>
    public IReadOnlyCollection<string> Requests => _requests;

    /// <summary>What went wrong in it: errors of its script, what its policy forbids.</summary>
    public IReadOnlyCollection<string> Complaints => _complaints;

    internal string Session { get; }

    internal Task Loaded => _loaded.Task;

    /// <summary>Shows it as by day or by night.</summary>
    public Task Light(bool isDark) => Ask("Emulation.setEmulatedMedia", new JsonObject
    {
        ["features"] = new JsonArray(new JsonObject
        {
            ["name"] = "prefers-color-scheme",
            ["value"] = isDark ? "dark" : "light",
        }),
    });

    /// <summary>Asks for it once more, as F5 does.</summary>
    public async Task Reload()
    {
        _loaded = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await Ask("Page.reload");
        await Loaded.WaitAsync(ServiceProcess.LimitAgainstHangs);
    }

    /// <summary>Closes it, so that another is in front.</summary>
    public async ValueTask DisposeAsync() =>
        await _browser.Ask("Target.closeTarget", new JsonObject { ["targetId"] = _target });

    /// <summary>What an expression of JavaScript comes to, a promise's end included.</summary>
    public async Task<JsonNode?> Evaluate(string expression)
    {
        var answer = await Ask("Runtime.evaluate", new JsonObject
        {
            ["expression"] = expression,
            ["returnByValue"] = true,
            ["awaitPromise"] = true,
        });
        return answer["exceptionDetails"] is { } failure
            ? throw new InvalidOperationException(failure.ToJsonString())
            : answer["result"]!["value"];
    }

    /// <summary>A picture of all of it, as PNG.</summary>
    public async Task<byte[]> Picture()
    {
        var answer = await Ask("Page.captureScreenshot", new JsonObject { ["captureBeyondViewport"] = true });
        return Convert.FromBase64String(answer["data"]!.GetValue<string>());
    }

    /// <summary>Presses a key, as its name in events is: <c>ArrowRight</c>.</summary>
    public async Task Press(string key)
    {
        foreach (var kind in new[] { "keyDown", "keyUp" })
            await Ask("Input.dispatchKeyEvent", new JsonObject { ["type"] = kind, ["key"] = key });
    }

    /// <summary>Does something with the mouse: <c>mouseMoved</c>, <c>mousePressed</c>, <c>mouseReleased</c>.</summary>
    public Task Mouse(string kind, double x, double y) => Ask("Input.dispatchMouseEvent", new JsonObject
    {
        ["type"] = kind,
        ["x"] = x,
        ["y"] = y,
        ["button"] = kind == "mouseMoved" ? "none" : "left",
        ["clickCount"] = 1,
    });

    internal Task<JsonNode> Ask(string method, JsonObject? parameters = null) =>
        _browser.Ask(method, parameters, Session);

    internal void Hear(string method, JsonNode parameters)
    {
        switch (method)
        {
            case "Network.requestWillBeSent":
                _requests.Enqueue(parameters["request"]!["url"]!.GetValue<string>());
                break;
            case "Runtime.exceptionThrown":
                _complaints.Enqueue(parameters["exceptionDetails"]!.ToJsonString());
                break;
            case "Log.entryAdded":
                _complaints.Enqueue(string.Create(
                    CultureInfo.InvariantCulture, $"{parameters["entry"]!["level"]}: {parameters["entry"]!["text"]}"));
                break;
            case "Page.frameNavigated":
                _isThere = parameters["frame"]!["url"]!.GetValue<string>() != "about:blank";
                break;
            case "Page.loadEventFired" when _isThere:
                _loaded.TrySetResult();
                break;
        }
    }
}
