using System.Globalization;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Original;

internal sealed class OriginalRun(
    CommandRun<OriginalOptions> command, StandardOutput output, ILogger<OriginalRun> logger) : IMeasuredRun, IDisposable
{
    private readonly OriginalOptions _options = command.Options.Values;
    private RedisEndpoint _endpoint = null!;
    private RedisPipeline? _pipeline;
    private OriginalWriter? _writer;
    private OriginalReader? _reader;

    public void Resolve(RunContext context) => _endpoint = OriginalTarget.Resolve(
        _options,
        command.Surroundings.Environment,
        address => Console.IsInputRedirected ? Console.In.ReadLine() : PasswordPrompt.Ask(address));

    public void Connect(RunContext context) => InterruptibleStep.Run(
        () =>
        {
            var connection = new RedisConnectionOptions
            {
                ClientName = "redislatency-delay",
                ReplyLimits = RespLimits.List,
            };
            RequireRole(connection);
            _pipeline = RedisPipeline.Open(_endpoint, connection);
        },
        context.Stop);

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
    }

    public void WarmUp(RunContext context)
    {
        if (_options.Side == OriginalSide.Set)
        {
            if (!_options.Overwrite)
                new ForeignKeys(_pipeline!, _options, context.Stop).Refuse();
            _writer = new OriginalWriter(_pipeline!, _options, context.Stop);
            return;
        }

        var reader = new OriginalReader(_pipeline!, _options, context.Stop);
        reader.LookAtStart();
        _reader = reader;
        ReplicationLog.WaitingForKeys(logger, _endpoint.Address);
    }

    public void Measure(RunContext context)
    {
        _writer?.Run();
        _reader?.Run();
    }

    public void Drain(RunContext context)
    {
        // Both sides end when they are done.
    }

    public int Report(RunContext context)
    {
        var code = ExitCode.Valid;
        if (context.HasMeasured && _writer is not null)
            code = OriginalReport.Write(_writer, _options, context.ExitCode, output);
        if (context.HasMeasured && _reader is not null)
        {
            var isWhole = context.StoppedBy is null && context.Failure is null;
            code = OriginalReport.Write(_reader, _options, context.ExitCode, isWhole, output);
        }

        output.Flush();
        return code;
    }

    public void Dispose() => _pipeline?.Dispose();

    private void RequireRole(RedisConnectionOptions connection)
    {
        if (_options.Side == OriginalSide.Get)
            return;
        using var control = RedisConnection.Open(_endpoint, connection);
        if (ServerFacts.Read(control).Role == "slave")
        {
            throw new RunRefusedException(
                $"{_endpoint.Address} is a replica: what is written to it is replicated nowhere. Set at the primary.");
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
