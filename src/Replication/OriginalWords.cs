using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Replication;

/// <summary>The command line of replicator-delay-test, delay HOST PORT PASSWORD KEYNUMBER set|get.</summary>
internal static class OriginalWords
{
    // Other words are servers, of which a port alone is none.
    public static IReadOnlyList<string> Translate(IReadOnlyList<string> arguments) => arguments.ToArray() switch
    {
        ["delay", var host, var port, var password, var keys, "set", .. var options] when IsNumber(keys) =>
            ["delay", "write", .. Server(host, port, password), "--keys", keys, .. options],
        // The writer says how many keys it writes.
        ["delay", var host, var port, var password, var keys, "get", .. var options] when IsNumber(keys) =>
            ["delay", "read", .. Server(host, port, password), .. options],
        _ => arguments,
    };

    private static bool IsNumber(string word) => word.Length > 0 && word.All(char.IsAsciiDigit);

    private static IEnumerable<string> Server(string host, string port, string password) => password switch
    {
        // REDISCLI_AUTH has it, or there is none.
        "-" or "" => [Endpoint(host, port, string.Empty)],
        ['@', .. var file] => [Endpoint(host, port, string.Empty), "--password-file", file],
        _ => [Endpoint(host, port, $"{Login(password.Split(':', 2))}@")],
    };

    private static string Login(string[] words) => words is [var user, var password]
        ? $"{Uri.EscapeDataString(user)}:{Uri.EscapeDataString(password)}"
        : $":{Uri.EscapeDataString(words[0])}";

    private static string Endpoint(string host, string port, string login)
    {
        var name = host.Split("://")[^1].TrimEnd('/');
        var scheme = host.Contains("://", StringComparison.Ordinal) ? host.Split("://")[0] : "redis";
        var isV6 = IPAddress.TryParse(name, out var address) && address.AddressFamily == AddressFamily.InterNetworkV6;
        return $"{scheme}://{login}{(isV6 && name[0] != '[' ? $"[{name}]" : name)}:{port}";
    }
}
