using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Integration.Workloads;

/// <summary>A real server, and Workloads as a process of its own.</summary>
public abstract class WorkloadTest : IAsyncLifetime
{
    private readonly List<IAsyncDisposable> _started = [];

    /// <summary>The server of the test.</summary>
    protected RedisServerProcess Server { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        Server = await RedisServerProcess.Start();
        _started.Add(Server);
    }

    public async ValueTask DisposeAsync()
    {
        for (var i = _started.Count - 1; i >= 0; i--)
            await _started[i].DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts Workloads with a verb, against the server.</summary>
    protected ServiceProcess Start(string verb, params string[] arguments)
    {
        var process = ServiceProcess.Start(
            "Workloads", [.. verb.Length > 0 ? [verb] : Array.Empty<string>(), .. arguments, "--redis", Server.Uri]);
        _started.Add(process);
        return process;
    }

    /// <summary>Ends something with the test.</summary>
    protected void Keep(IAsyncDisposable started) => _started.Add(started);

    /// <summary>
    /// Runs a verb against the server to its end, which must be this one, and reads what it left behind.
    /// </summary>
    internal Task<SavedRun> Run(int exitCode, string verb, params string[] arguments) =>
        Run([exitCode], verb, arguments);

    /// <summary>Runs a verb against the server to its end, which must be one of these.</summary>
    internal async Task<SavedRun> Run(int[] exitCodes, string verb, params string[] arguments)
    {
        var process = Start(verb, arguments);
        exitCodes.ShouldContain(await process.End(), process.ToString());
        return SavedRun.Of(process);
    }

    /// <summary>Loads records.</summary>
    internal Task<SavedRun> Load(int records, params string[] arguments) =>
        Run(0, "load", ["--records", Text(records), .. arguments]);

    /// <summary>Asks the server something.</summary>
    internal string Ask(params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    /// <summary>How often the server has executed a command.</summary>
    internal long CallsOf(string command)
    {
        var line = Ask("INFO", "commandstats").Split('\n')
            .FirstOrDefault(known => known.StartsWith($"cmdstat_{command}:", StringComparison.Ordinal));
        return line is null ? 0 : Number(line.Split("calls=")[1].Split(',')[0]);
    }

    protected static string Text(long number) => number.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private static long Number(string text) => long.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
}
