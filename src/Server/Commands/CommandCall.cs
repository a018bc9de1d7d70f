using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

/// <summary>A command being executed: words, client, and where its reply goes. One object serves all calls.</summary>
internal sealed class CommandCall(ServerState server)
{
    private ClientConnection? _client;
    private RespWriter? _reply;
    private CommandDescription? _command;

    public ServerState Server { get; } = server;

    public ClientConnection Client => _client!;

    public RespWriter Reply => _reply!;

    public CommandDescription Command => _command!;

    public Database Database => Server.Database;

    public int Count => Client.Requests.Count;

    public ReadOnlySpan<byte> this[int index] => Client.Requests[index];

    public void Begin(ClientConnection client, RespWriter reply, CommandDescription command) =>
        (_client, _reply, _command) = (client, reply, command);

    public string Text(int index) => Encoding.UTF8.GetString(this[index]);

    public bool Is(int index, ReadOnlySpan<byte> word) => Ascii.EqualsIgnoreCase(this[index], word);

    /// <summary>A word as an integer; where it is none, the error has been written.</summary>
    public bool TryGetInteger(int index, out long value) =>
        RespRequestReader.TryParse(this[index], out value) || NotAnInteger();

    public void Ok() => Reply.WriteRaw("+OK\r\n"u8);

    public void Integer(long value) => Reply.WriteInteger(value);

    public void Null()
    {
        if (Client.Protocol == 3)
            Reply.WriteNull();
        else
            Reply.WriteNullBulkString();
    }

    public void MapHeader(int pairs)
    {
        if (Client.Protocol == 3)
            Reply.WriteHeader(RespType.Map, pairs);
        else
            Reply.WriteArrayHeader(pairs * 2);
    }

    public void PushHeader(int count) =>
        Reply.WriteHeader(Client.Protocol == 3 ? RespType.Push : RespType.Array, count);

    public void Verbatim(string text)
    {
        if (Client.Protocol == 3)
        {
            Reply.WriteRaw(Encoding.UTF8.GetBytes(
                FormattableString.Invariant($"={Encoding.UTF8.GetByteCount(text) + 4}\r\ntxt:{text}\r\n")));
        }
        else
        {
            Reply.WriteBulkString(text);
        }
    }

    public void Value(StoredString? value)
    {
        if (value is null)
            Null();
        else
            Reply.WriteBulkString(value.Value);
    }

    /// <returns>False: whoever tried has failed.</returns>
    public bool Error(string message)
    {
        Reply.WriteError(message);
        return false;
    }

    public bool NotAnInteger() => Error("ERR value is not an integer or out of range");

    public bool SyntaxError() => Error("ERR syntax error");

    public bool WrongNumberOfArguments() => Error($"ERR wrong number of arguments for '{Command.Name}' command");

    public StoredString? Find(int index)
    {
        var found = Database.Find(this[index]);
        if (found is null)
            Server.Statistics.KeyspaceMisses++;
        else
            Server.Statistics.KeyspaceHits++;
        return found;
    }
}
