using System.Collections;
using System.Globalization;

namespace RedisLatency.Redis.Endpoints;

/// <summary>A host's name or address (IPv6 without brackets), and a TCP port.</summary>
public readonly record struct HostAndPort(string Host, int Port)
{
    /// <summary><c>host:6379</c>, or <c>[::1]:6379</c>.</summary>
    public override string ToString() =>
        $"{(Host.Contains(':') ? $"[{Host}]" : Host)}:{Port.ToString(CultureInfo.InvariantCulture)}";

    internal static HostAndPort NamedBy(string who, string host, string port) =>
        host.Length > 0 && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number is >= 1 and <= ushort.MaxValue
            ? new HostAndPort(host, number)
            : throw new RedisProtocolException($"{who} names the address '{host}' '{port}'");
}

/// <summary>Addresses in the order given; two lists of the same addresses are equal.</summary>
public sealed class AddressList(params IEnumerable<HostAndPort> addresses)
    : IReadOnlyList<HostAndPort>, IEquatable<AddressList>
{
    private readonly HostAndPort[] _addresses = [.. addresses];

    /// <summary>No address.</summary>
    public static AddressList Empty { get; } = new();

    /// <inheritdoc/>
    public int Count => _addresses.Length;

    /// <inheritdoc/>
    public HostAndPort this[int index] => _addresses[index];

    /// <inheritdoc/>
    public IEnumerator<HostAndPort> GetEnumerator() => ((IEnumerable<HostAndPort>)_addresses).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <inheritdoc/>
    public bool Equals(AddressList? other) => other is not null && _addresses.SequenceEqual(other._addresses);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as AddressList);

    /// <inheritdoc/>
    public override int GetHashCode() => _addresses.Length == 0 ? 0 : _addresses[0].GetHashCode();
}
