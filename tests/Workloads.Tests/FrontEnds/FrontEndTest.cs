using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>A real server, and command lines of other tools run against it.</summary>
public abstract class FrontEndTest : IAsyncLifetime
{
    private readonly List<ServiceProcess> _started = [];

    protected RedisServerProcess Server { get; private set; } = null!;

    protected string Port => Server.Port.ToString(CultureInfo.InvariantCulture);

    public async ValueTask InitializeAsync()
    {
        Server = await RedisServerProcess.Start();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var process in _started)
            await process.DisposeAsync();
        if (Server is not null)
            await Server.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Runs a command line to its end, which must be this one; {port} is the server's.</summary>
    protected async Task<ServiceProcess> Run(string line, params int[] exitCodes)
    {
        var process = ServiceProcess.Start(
            "Workloads", [.. line.Replace("{port}", Port, StringComparison.Ordinal).Split(' ')]);
        _started.Add(process);
        (exitCodes.Length == 0 ? [0] : exitCodes).ShouldContain(await process.End(), process.ToString());
        return process;
    }

    /// <summary>Runs a program that is none of ours.</summary>
    protected async Task<IReadOnlyList<string>> RunOriginal(string program, string line)
    {
        using var process = Process.Start(new ProcessStartInfo(
            ServerRequirement.Require(program), line.Replace("{port}", Port, StringComparison.Ordinal).Split(' '))
        { RedirectStandardOutput = true })!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        process.ExitCode.ShouldBe(0, output);
        return output.Split('\n', '\r');
    }

    protected string Ask(params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    protected IReadOnlyList<string> Keys()
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return [.. connection.Execute("KEYS", "*").Items.Select(key => key.Text).Order(StringComparer.Ordinal)];
    }

    /// <summary>How often the server has executed each command, those that only ask about it left out.</summary>
    protected IReadOnlyDictionary<string, long> Calls() => Ask("INFO", "commandstats").Split('\n')
        .Where(line => line.StartsWith("cmdstat_", StringComparison.Ordinal))
        .Select(line => line["cmdstat_".Length..].Split(':'))
        .Where(parts => !IsQuestion(parts[0].Split('|')[0]))
        .ToDictionary(
            parts => parts[0], parts => (long)OriginalOutput.NumberOf(parts[1].Split("calls=")[1].Split(',')[0]));

    private static bool IsQuestion(string command) => command is "info" or "config" or "client" or "hello" or "dbsize"
        or "exists" or "latency" or "keys" or "select" or "auth" or "command" or "cluster";
}
