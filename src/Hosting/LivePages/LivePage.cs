using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Http;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Hosting.LivePages;

/// <summary>
/// The page of a run, served while it lasts. It is made while somebody looks, once for all who do, at most once a
/// second and in a twentieth of the time, on a thread of its own.
/// </summary>
public sealed partial class LivePage : IDisposable
{
    private const int MostShare = 20;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // For the last browser to take the final record; who does not is dropped.
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    private readonly RunContext _run;
    private readonly HttpEndpoint _endpoint;
    private readonly Thread _thread;
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _over = new();
    private readonly SemaphoreSlim _asked = new(0);
    private TaskCompletionSource<ShownPage> _next = NextOne();
    private ShownPage? _shown;
    private volatile PageSource? _source;
    private volatile int _browsers;

    private LivePage(RunContext run, System.Net.IPEndPoint place, LivePageToken? token, string option)
    {
        _run = run;
        _endpoint = HttpEndpoint.Start(place, option, new LivePageRequests(this, token));
        _thread = new Thread(Draw) { Name = "live-page", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Serves the page of a run from now on, where that was asked for.</summary>
    /// <exception cref="RunRefusedException">It cannot listen there.</exception>
    internal static LivePage? Start(OutputOptions options, RunContext run)
    {
        if (options.LivePage is not { } address)
            return null;
        var place = LivePageAddress.Parse(address)
            ?? throw new ArgumentException(LivePageAddress.Problem(address), nameof(options));
        var token = LivePageToken.Read(options.LivePageTokenFile);
        var page = new LivePage(run, place, token, $"{LivePageAddress.Option} {address}");
        LivePageAt(run.Logger, page._endpoint.Address);
        return page;
    }

    /// <summary>From now on there is something to show.</summary>
    internal void Follow(PageSource source) => _source = source;

    /// <summary>The first page that is newer than the one that was seen; null for any that is fresh.</summary>
    internal async Task<ShownPage> After(ShownPage? seen, CancellationToken cancellation)
    {
        Task<ShownPage> next;
        lock (_gate)
        {
            if (_shown is { } shown && shown != seen && (shown.IsLast || Stopwatch.GetTimestamp() < shown.FreshUntil))
                return shown;
            next = _next.Task;
        }

        return await next.WaitAsync(cancellation).ConfigureAwait(false);
    }

    /// <summary>Somebody looks, until what it returns is disposed.</summary>
    internal IDisposable Look() => new Browser(this);

    /// <summary>Shows the final record to who looks, and ends.</summary>
    public void Dispose()
    {
        _over.Set();
        _asked.Release();
        _thread.Join();
        SpinWait.SpinUntil(() => _browsers == 0, EndLimit);
        _endpoint.Dispose();
        _over.Dispose();
        _asked.Dispose();
    }

    private static TaskCompletionSource<ShownPage> NextOne() =>
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Draw()
    {
        while (!_over.IsSet)
        {
            _asked.Wait();
            while (_browsers > 0 && !_over.IsSet)
            {
                var began = Stopwatch.GetTimestamp();
                var text = TextOf(isLast: false);
                var pause = Stopwatch.GetElapsedTime(began) * (MostShare - 1);
                pause = pause > Pause ? pause : Pause;
                Show(text, pause);
                _over.Wait(pause);
            }
        }

        Show(_browsers > 0 ? TextOf(isLast: true) : string.Empty, pause: null);
    }

    private void Show(string? text, TimeSpan? pause)
    {
        TaskCompletionSource<ShownPage> known;
        ShownPage shown;
        lock (_gate)
        {
            // What cannot be read now, a log that is being renamed, is shown as it was.
            shown = _shown = new ShownPage(
                text ?? _shown?.Text ?? string.Empty,
                Stopwatch.GetTimestamp() + (long)((pause ?? TimeSpan.Zero).TotalSeconds * Stopwatch.Frequency),
                IsLast: pause is null);
            (known, _next) = (_next, NextOne());
        }

        known.SetResult(shown);
    }

    private string? TextOf(bool isLast)
    {
        try
        {
            var final = isLast ? Final() : null;
            var state = !isLast ? "This page follows the run."
                : final is not null ? "The run is over. This is its final record; the page does not change any more."
                : "The run is over, and left no record. This is what was seen of it last.";
            var writer = new StringWriter();
            RunPage.WriteLiveAsync(
                writer, final ?? PageSource.PageOf(_run, _source), state,
                $"Served by RedisLatency {ProgramVersion.Text}.").GetAwaiter().GetResult();
            return writer.ToString();
        }
#pragma warning disable CA1031 // A page that cannot be made costs the run nothing.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            PageNotMade(_run.Logger, failure.Message);
            return null;
        }
    }

    private PageRun? Final()
    {
        try
        {
            return _source?.Folder is { } folder && SavedRun.Open(folder) is { Record: not null } saved
                ? new PageRun(saved) : null;
        }
        catch (SavedRunException)
        {
            return null;
        }
    }

    [LoggerMessage(EventId = 36, Level = LogLevel.Information, Message = "The live page is at {Address}/.")]
    private static partial void LivePageAt(ILogger logger, string address);

    [LoggerMessage(EventId = 37, Level = LogLevel.Debug, Message = "The live page was not made: {Reason}")]
    private static partial void PageNotMade(ILogger logger, string reason);

    private sealed class Browser : IDisposable
    {
        private readonly LivePage _page;

        public Browser(LivePage page)
        {
            _page = page;
            if (Interlocked.Increment(ref page._browsers) == 1)
                page._asked.Release();
        }

        public void Dispose() => Interlocked.Decrement(ref _page._browsers);
    }
}

/// <summary>A page as browsers get it.</summary>
/// <param name="Text">The whole document.</param>
/// <param name="FreshUntil">Until when nobody makes another.</param>
/// <param name="IsLast">Whether no other follows.</param>
internal sealed record ShownPage(string Text, long FreshUntil, bool IsLast)
{
    private byte[]? _event;

    /// <summary>The document.</summary>
    public byte[] Document => Encoding.UTF8.GetBytes(Text);

    /// <summary>The same as an event (https://html.spec.whatwg.org/multipage/server-sent-events.html).</summary>
    public byte[] Event => _event ??= Encoding.UTF8.GetBytes(
        $"event: {(IsLast ? "end" : "page")}\ndata: {Text.ReplaceLineEndings("\ndata: ")}\n\n");
}
