using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// One server of an end. What is asked is kept until it is sent with all else; whoever asked goes on, on the same
/// thread, when its reply is taken.
/// </summary>
internal sealed class EndNode(ResolvedTarget target, TimeSpan patience, CancellationToken stop) : IDisposable
{
    private readonly RespWriter _requests = new(64 << 10);
    private readonly Queue<(string Command, TaskCompletionSource<RespValue> Reply)> _unsent = new();
    private readonly Queue<(string Command, TaskCompletionSource<RespValue> Reply)> _sent = new();
    private readonly Reconnection _reconnection = new(patience);
    private RedisPipeline? _pipeline;
    private int _selected;

    public string Name => target.Name;

    public ResolvedTarget Target => target;

    /// <summary>How often it was started again, or another took its place: a cursor means nothing there.</summary>
    public int Processes { get; private set; }

    private string? Process { get; set; }

    /// <summary>Asks something of a database.</summary>
    public Task<RespValue> Ask(int database, string command, params ReadOnlySpan<byte[]> words)
    {
        if (database != _selected)
        {
            _selected = database;
            Write("SELECT", [System.Text.Encoding.ASCII.GetBytes(database.ToString(CultureInfo.InvariantCulture))]);
        }

        return Write(command, words);
    }

    /// <exception cref="TargetLostException">It is not back in time.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public void Send()
    {
        if (_unsent.Count == 0)
            return;
        try
        {
            var pipeline = _pipeline ?? Open();
            pipeline.Send(_requests.Written, _unsent.Count);
        }
        catch (RedisException lost) when (lost.IsTransient)
        {
            Lose(lost);
            return;
        }

        _requests.Clear();
        while (_unsent.TryDequeue(out var one))
            _sent.Enqueue(one);
    }

    /// <summary>Takes the replies to all that was sent, and lets those who asked go on.</summary>
    public void Take()
    {
        while (_sent.TryPeek(out var next))
        {
            RespValue reply;
            try
            {
                var cursor = _pipeline!.Await(next.Command);
                reply = RespValue.From(ref cursor);
            }
            catch (RedisException lost) when (lost.IsTransient)
            {
                Lose(lost);
                return;
            }

            _reconnection.NoteServed();
            _sent.Dequeue();
            next.Reply.SetResult(reply);
        }
    }

    public void Dispose() => _pipeline?.Dispose();

    private Task<RespValue> Write(string command, ReadOnlySpan<byte[]> words)
    {
        var reply = new TaskCompletionSource<RespValue>();
        _requests.WriteArrayHeader(words.Length + 1);
        _requests.WriteBulkString(command);
        foreach (var word in words)
            _requests.WriteBulkString(word);
        _unsent.Enqueue((command, reply));
        return reply.Task;
    }

    // Whoever waits for a reply asks again in the next round.
    private void Lose(RedisException lost)
    {
        Close();
        _requests.Clear();
        var waiting = _sent.Concat(_unsent).ToList();
        _sent.Clear();
        _unsent.Clear();
        _selected = 0;
        foreach (var (_, reply) in waiting)
            reply.SetException(lost);
    }

    private RedisPipeline Open()
    {
        try
        {
            if (!_reconnection.TryReach(Connect, stop, out _))
                stop.ThrowIfCancellationRequested();
            return _pipeline!;
        }
        catch (RedisException lost) when (lost.IsTransient)
        {
            throw new TargetLostException(
                $"{Name} was not back within {patience.TotalSeconds:0.#} s: {lost.Message}", lost);
        }
    }

    private RedisPipeline Connect()
    {
        _pipeline = RedisPipeline.Open(target.Endpoint with { Database = 0 }, target.Connection with
        {
            ClientName = "redislatency-verify",
            ReplyLimits = RespLimits.Default,
        });
        try
        {
            // Reading is no use of a key, where the server knows how to be told so (7.2).
            Request("CLIENT", "NO-TOUCH", "ON");
            var process = ServerFacts.FieldsOf(Request("INFO", "server").Text).GetValueOrDefault("run_id");
            // A server that loads its data answers all but this.
            if (Request("EXISTS", "k") is { IsError: true } refusal
                && ErrorReply.KindOf(refusal.Content) == ErrorKind.Passing)
            {
                throw new RedisServerException(refusal.Text);
            }

            if (Process is not null && process != Process)
                Processes++;
            Process = process;
            return _pipeline;
        }
        catch
        {
            Close();
            throw;
        }
    }

    private RespValue Request(params ReadOnlySpan<string> words)
    {
        var request = new RespWriter();
        request.WriteRequest(words);
        _pipeline!.Send(request.Written);
        var cursor = _pipeline.Await(words[0]);
        return RespValue.From(ref cursor);
    }

    private void Close()
    {
        _pipeline?.Dispose();
        _pipeline = null;
    }
}
