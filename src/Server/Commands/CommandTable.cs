using System.Text;

namespace RedisLatency.Server.Commands;

internal sealed class CommandTable
{
    private const int LongestName = 64;

    private readonly Dictionary<byte[], CommandDescription> _commands = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], CommandDescription>.AlternateLookup<ReadOnlySpan<byte>> _lookup;

    public CommandTable(IEnumerable<CommandDescription> commands)
    {
        foreach (var command in commands)
            _commands.Add(Encoding.UTF8.GetBytes(command.Name[(command.Name.IndexOf('|') + 1)..]), command);
        _lookup = _commands.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public CommandDescription? Find(ReadOnlySpan<byte> name)
    {
        if (name.Length > LongestName)
            return null;
        Span<byte> lower = stackalloc byte[LongestName];
        Ascii.ToLower(name, lower, out var length);
        return length == name.Length && _lookup.TryGetValue(lower[..length], out var command) ? command : null;
    }
}
