using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
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
