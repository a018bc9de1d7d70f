using System.Globalization;
using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>A key at one end, to be asked about.</summary>
internal sealed class EndKey(VerifiedEnd end, KeyName name)
{
    public VerifiedEnd End => end;

    /// <summary>Asks a command whose first word is the key.</summary>
    /// <exception cref="RedisException">It is refused, or the connection lost.</exception>
    public Task<RespValue> Ask(string command, params ReadOnlySpan<byte[]> words) =>
        Allowed(command, [name.Key, .. words]);

    /// <summary>The same behind a subcommand.</summary>
    /// <inheritdoc cref="Ask" path="/exception"/>
    public Task<RespValue> AskOf(string command, byte[] subcommand, params ReadOnlySpan<byte[]> words) =>
        Allowed(command, [subcommand, name.Key, .. words]);

    /// <summary>The same of what may be refused.</summary>
    public Task<RespValue> TryAskOf(string command, byte[] subcommand, params ReadOnlySpan<byte[]> words) =>
        Node.Ask(name.Database, command, [subcommand, name.Key, .. words]);

    public static byte[] Number(long number) =>
        Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    private EndNode Node => end.NodeOf(name.Key)
        ?? throw new RedisServerException($"CLUSTERDOWN no server of the {end.Word} has the slot");

    // Asks wherever MOVED and ASK lead. What passes is asked again in the next round.
    private async Task<RespValue> Allowed(string command, byte[][] words)
    {
        var (node, asks, redirections) = (Node, false, (byte)0);
        while (true)
        {
            if (asks)
                _ = node.Ask(name.Database, "ASKING");
            var reply = await node.Ask(name.Database, command, words);
            if (!reply.IsError)
                return reply;
            var refusal = reply.Text;
            var kind = ErrorReply.KindOf(refusal);
            var next = RequestRetry.After(kind, ref redirections);
            if (next == NextStep.Follow && end.NamedBy(refusal, node) is { } named)
                (node, asks) = (named, kind == ErrorKind.Ask);
            else if (kind.NamesServer)
                throw new RedisConnectionLostException($"The {end.Word} redirected {command} in vain: {refusal}");
            else
                throw new RedisServerException(refusal, $"The {end.Word} refused {command}: {refusal}");
        }
    }
}
