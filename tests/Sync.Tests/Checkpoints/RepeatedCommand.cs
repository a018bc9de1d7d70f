using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Verify;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// One command that is given again each time it has stopped by itself, as docs/sync/promise.md says: the same one, or
/// the one that its last words name.
/// </summary>
internal sealed class RepeatedCommand : IAsyncDisposable
{
    public const string LastKey = "last";

    private const string Anew = "--checkpoint anew --empty-destination";

    private const int NotReached = 3;
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(200);

    private readonly string _source;
    private readonly string _target;
    private readonly Func<string[], ServiceProcess> _start;
    private readonly List<string> _lastWords = [];
    private string[] _arguments = [];
    private ServiceProcess _process;

    public RepeatedCommand(string source, string target)
        : this(source, target, arguments => SyncProcess.Start("sync", source, target, arguments))
    {
    }

    /// <param name="source">The server that is copied.</param>
    /// <param name="target">The server that it is copied to.</param>
    /// <param name="start">Starts the command, with what its last words say to add.</param>
    public RepeatedCommand(string source, string target, Func<string[], ServiceProcess> start)
    {
        (_source, _target, _start) = (source, target, start);
        _process = start(_arguments);
    }

    /// <summary>How often it has stopped by itself.</summary>
    public int Stops { get; private set; }

    /// <summary>How often of these it had to copy everything again.</summary>
    public int Anews { get; private set; }

    /// <summary>Gives it again where it has stopped, until it follows what is written.</summary>
    public async Task Follow()
    {
        while (true)
        {
            await Eventually.Is("it follows, or has stopped", () => _process.HasExited || HasSaid("following what is"));
            if (!_process.HasExited)
                return;
            await Repeat();
        }
    }

    /// <summary>Waits until something is so; where it stops meanwhile, it is given again.</summary>
    public async Task Until(string what, Func<bool> look)
    {
        while (true)
        {
            await Eventually.Is(what, () => _process.HasExited || look());
            if (!_process.HasExited)
                return;
            await Repeat();
        }
    }

    /// <summary>
    /// Whether verify finds both equal, once the last key that is written to the source is at the target; the command
    /// has to say so of itself too.
    /// </summary>
    /// <param name="openSource">To a server that takes what is written.</param>
    /// <param name="openTarget">To the server that gets the key <see cref="LastKey"/>.</param>
    public async Task ShouldBeEqual(Func<RedisConnection> openSource, Func<RedisConnection> openTarget)
    {
        using (var from = openSource())
            from.Execute("SET", LastKey, "1");
        await Until("the last key is there", () =>
        {
            using var to = openTarget();
            return to.Execute("EXISTS", LastKey).Number == 1;
        });
        await VerifyProcess.Run(_source, _target, 0, "--reconnect-timeout", "10m");
        _process.HasExited.ShouldBeFalse(_process.ToString());
        var (code, record) = await _process.EndBy("INT").End(_process);
        code.ShouldBe(130, _process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", record["verdict"]!.ToJsonString());
    }

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    /// <summary>Why it stopped each time, and what the last one said.</summary>
    public override string ToString() => $"{string.Join('\n', _lastWords)}\n{_process}";

    private async Task Repeat()
    {
        var code = await _process.End();
        _lastWords.Add(LastWords());
        await _process.DisposeAsync();
        if (code == NotReached)
        {
            // Of a failover that goes on; whoever gives it again has to wait, too.
            await Task.Delay(BetweenTries, TestContext.Current.CancellationToken);
            _process = _start(_arguments);
            return;
        }

        code.ShouldBe(5, ToString());
        var isAnew = HasSaid(Anew);
        (isAnew || HasSaid("The same command goes on, from offset ")).ShouldBeTrue(ToString());
        _arguments = isAnew ? Anew.Split(' ') : [];
        _process = _start(_arguments);
        Stops++;
        Anews += isAnew ? 1 : 0;
    }

    private string LastWords() =>
        $"{_process.Errors.ToString().Trim().Split('\n')[^1]} {Events(_process.Output.ToString())}";

    private static string? Events(string output) =>
        output.Length == 0 ? null : JsonNode.Parse(output)?["events"]?.ToJsonString();

    private bool HasSaid(string text) => _process.Errors.ToString().Contains(text, StringComparison.Ordinal);
}
