using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Original;

internal sealed class OriginalRun(CommandRun<OriginalOptions> command, RunContext run)
{
    private readonly OriginalOptions _options = command.Options.Values;

    public int Run()
    {
        var endpoint = OriginalTarget.Resolve(
            _options,
            command.Surroundings.Environment,
            address => Console.IsInputRedirected ? Console.In.ReadLine() : PasswordPrompt.Ask(address));

        run.Enter(RunPhase.Connect);
        using var pipeline = InterruptibleStep.Run(() => Open(endpoint), run.Stop);

        run.Enter(RunPhase.WarmUp);
        var code = _options.Side == OriginalSide.Set ? Write(pipeline) : Read(pipeline, endpoint);
        run.Output.Flush();
        return code;
    }

    private int Write(RedisPipeline pipeline)
    {
        if (!_options.Overwrite)
            new ForeignKeyCheck(pipeline, _options, run.Stop).Refuse();
        var writer = new OriginalWriter(pipeline, _options, run.Stop);
        Measure(writer.Run);
        return OriginalReport.Write(writer, _options, run.ExitCode, run.Output);
    }

    private int Read(RedisPipeline pipeline, RedisEndpoint endpoint)
    {
        var reader = new OriginalReader(pipeline, _options, run.Stop);
        reader.LookAtStart();
        ReplicationLog.WaitingForKeys(run.Logger, endpoint.Address);
        Measure(reader.Run);
        return OriginalReport.Write(reader, _options, run.ExitCode, run.IsWhole, run.Output);
    }

    // Both sides end when they are done.
    private void Measure(Action measure)
    {
        run.Enter(RunPhase.Measure);
        run.Attempt(measure);
        run.Enter(RunPhase.Report);
    }

    private RedisPipeline Open(RedisEndpoint endpoint)
    {
        var connection = new RedisConnectionOptions
        {
            ClientName = "redislatency-delay",
            ReplyLimits = RespLimits.List,
        };
        RequireRole(endpoint, connection);
        return RedisPipeline.Open(endpoint, connection);
    }

    private void RequireRole(RedisEndpoint endpoint, RedisConnectionOptions connection)
    {
        if (_options.Side == OriginalSide.Get)
            return;
        using var control = RedisConnection.Open(endpoint, connection);
        if (ServerFacts.Read(control).Role == "slave")
        {
            throw new RunRefusedException(
                $"{endpoint.Address} is a replica: what is written to it is replicated nowhere. Set at the primary.");
        }
    }
}

internal static class OriginalTarget
{
    public static RedisEndpoint Resolve(
        OriginalOptions options, IReadOnlyDictionary<string, string> environment, Func<string, string?> readLine)
    {
        if (options.Host.Split(':') is [_, var port] && port.Length > 0 && port.All(char.IsAsciiDigit))
            throw new ConfigurationException($"HOST {options.Host}: without the port, which is a word of its own");
        var host = options.Host.Contains("://", StringComparison.Ordinal) || !options.Host.Contains(':')
            ? options.Host
            : $"[{options.Host.Trim('[', ']')}]";
        var text = string.Create(CultureInfo.InvariantCulture, $"{host.TrimEnd('/')}:{options.Port}");
        if (!RedisEndpoint.TryParse(text, out var endpoint, out var problem))
            throw new ConfigurationException($"HOST: {problem}");
        TargetResolution.RequireTls(options.Tls, endpoint);
        endpoint = TargetResolution.WithTls(endpoint, options.Tls);
        var credentials = options.Password switch
        {
            "-" => environment.GetValueOrDefault(PasswordSources.EnvironmentVariable) ?? readLine(endpoint.Address)
                ?? string.Empty,
            ['@', .. var file] => FirstLine(file),
            var typed => typed,
        };
        return credentials.Length == 0 ? endpoint : WithCredentials(endpoint, credentials);
    }

    private static RedisEndpoint WithCredentials(RedisEndpoint endpoint, string credentials)
    {
        var colon = credentials.IndexOf(':', StringComparison.Ordinal);
        return endpoint with
        {
            User = colon > 0 ? credentials[..colon] : null,
            Password = new RedisPassword(credentials[(colon + 1)..]),
        };
    }

    private static string FirstLine(string file)
    {
        try
        {
            return SmallFile.ReadFirstLine(file);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ConfigurationException($"PASSWORD @{file}: {failure.Message}");
        }
    }
}
